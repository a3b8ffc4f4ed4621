#include "streamgage/counters/source/open_failure.hpp"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

OpenFailure explain_refusal(const std::string& error, std::optional<int> level) {
  if (!level) {
    return {fmt::format("{} (kernel.perf_event_paranoid cannot be read)", error),
            "let the program call perf_event_open: a container's seccomp filter may forbid it"};
  }
  const std::string reason = fmt::format("{} (kernel.perf_event_paranoid is {})", error, *level);
  if (*level > 0) {
    return {reason,
            "set it to 0 (sudo sysctl kernel.perf_event_paranoid=0), or give the program "
            "CAP_PERFMON; in a container, also allow the call perf_event_open"};
  }
  return {reason,
          "that level allows it, so a container's seccomp filter, a security module or the "
          "kernel's lockdown forbids it: allow the call perf_event_open, or run outside of the "
          "container"};
}

}  // namespace

std::optional<int> read_paranoid_level(const FileRoots& roots) {
  const auto text = pseudo_file_text(roots.proc + "/sys/kernel/perf_event_paranoid");
  int level = 0;
  if (!text) {
    return std::nullopt;
  }
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, level);
  return error == std::errc{} && stop == end ? std::optional(level) : std::nullopt;
}

OpenFailure explain_open_failure(std::error_code error, std::optional<int> paranoid_level) {
  const std::string message = error.message();
  if (error == std::errc::permission_denied || error == std::errc::operation_not_permitted) {
    return explain_refusal(message, paranoid_level);
  }
  if (error == std::errc::no_such_file_or_directory || error == std::errc::no_such_device ||
      error == std::errc::no_such_device_or_address) {
    return {fmt::format("{}: the kernel does not know the PMU or its event, or no longer knows it",
                        message),
            "load the PMU's kernel module again, or use a kernel that knows this processor"};
  }
  if (error == std::errc::resource_unavailable_try_again ||
      error == std::errc::device_or_resource_busy) {
    return {fmt::format("{}: something else holds the hardware's counters", message),
            "end other monitors of the memory controllers (perf, pcm, a profiler's daemon)"};
  }
  if (error == std::errc::invalid_argument || error == std::errc::not_supported) {
    return {fmt::format("{}: the kernel's driver does not accept this event", message),
            "use a newer kernel"};
  }
  if (error == std::errc::too_many_files_open) {
    return {message, "raise the limit of open files (ulimit -n)"};
  }
  if (error == std::errc::function_not_supported) {
    return {fmt::format("{}: the kernel offers no performance events", message),
            "use a kernel with CONFIG_PERF_EVENTS, or leave the sandbox that hides them"};
  }
  return {message, ""};
}

}  // namespace streamgage
