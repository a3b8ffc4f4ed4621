#include "streamgage/topology/hwloc/hwloc_request.hpp"

#include <hwloc.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace streamgage {
namespace {

// The most that Linux is built for: NR_CPUS in arch/x86/Kconfig and in arch/powerpc.
constexpr std::uint64_t kMostDescribedCpus = 8192;

// Which hwloc reads first of its files' folders of CPUs (topology-linux.c).
constexpr std::array kCpuFolders = {"sys/devices/system/cpu", "sys/bus/cpu/devices"};

bool has_cpus(const std::filesystem::path& root) {
  std::error_code ignored;
  for (const char* folder : kCpuFolders) {
    if (std::filesystem::is_directory(root / folder, ignored)) {
      return true;
    }
  }
  return false;
}

// Archives often hold the root one folder deeper.
std::optional<std::string> deeper_root(const std::filesystem::path& root) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(root, error), end; !error && entry != end;
       entry.increment(error)) {
    if (has_cpus(entry->path())) {
      return entry->path().string();
    }
  }
  return std::nullopt;
}

Result<void> check_root(const TopologyRequest& request) {
  const std::filesystem::path root(request.value);
  std::error_code error;
  if (!std::filesystem::is_directory(root, error)) {
    return usage_error(
        fmt::format("{} cannot be used: it is not a folder{}; name the folder that has proc and "
                    "sys in it, or unset the variable",
                    request.text(), error ? fmt::format(" ({})", error.message()) : ""));
  }
  if (!has_cpus(root)) {
    const auto deeper = deeper_root(root);
    return usage_error(fmt::format("{} holds no /{}: name the folder that has proc and sys in it{}",
                                   request.text(), kCpuFolders.front(),
                                   deeper ? fmt::format(", {}", *deeper) : ""));
  }
  return {};
}

// The beginning of a file, which has the version.
std::optional<std::string> head_of(const std::string& path) {
  constexpr std::size_t kHead = 4096;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  std::string head(kHead, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

// "3.0" of <topology version="3.0">; empty where it has no version, nothing where there is no such
// element.
std::optional<std::string> xml_version(std::string_view head) {
  const std::size_t element = head.find("<topology");
  if (element == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view rest = head.substr(element, head.find('>', element) - element);
  constexpr std::string_view kKey = "version=\"";
  const std::size_t key = rest.find(kKey);
  if (key == std::string_view::npos) {
    return "";
  }
  const std::string_view version = rest.substr(key + kKey.size());
  return std::string(version.substr(0, version.find('"')));
}

// Of the hwloc that runs here.
int hwloc_major() { return static_cast<int>(hwloc_get_api_version() >> 16U); }

Result<void> check_xml(const TopologyRequest& request) {
  if (request.value == "-") {  // standard input, which can be read once
    return {};
  }
  std::error_code error;
  if (std::filesystem::is_directory(request.value, error)) {
    return usage_error(
        fmt::format("{} cannot be used: it is a folder; name a file that lstopo "
                    "wrote as XML, or unset the variable",
                    request.text()));
  }
  errno = 0;
  const auto head = head_of(request.value);
  if (!head) {
    return usage_error(
        fmt::format("{} cannot be used: the file cannot be read ({}); correct the "
                    "variable or unset it",
                    request.text(), std::generic_category().message(errno)));
  }
  const auto version = xml_version(*head);
  int major = 0;
  if (version) {
    std::from_chars(version->data(), version->data() + version->size(), major);
  }
  if (const int ours = hwloc_major(); major > ours) {
    return usage_error(
        fmt::format("{} cannot be used: hwloc {} saved it (version {}), and this hwloc reads up to "
                    "{}.x; save it with lstopo --export-xml-flags v{} FILE.xml",
                    request.text(), major, *version, ours, ours));
  }
  return {};
}

Result<void> check_synthetic(const TopologyRequest& request) {
  if (cpus_described(request.value) > kMostDescribedCpus) {
    return usage_error(
        fmt::format("HWLOC_SYNTHETIC describes more CPUs than any machine has; describe at most {}",
                    kMostDescribedCpus));
  }
  return {};
}

}  // namespace

Result<void> check_request(const TopologyRequest& request) {
  if (request.rival) {
    return usage_error(fmt::format("{} and {} each describe a machine; unset one of them",
                                   request.variable, *request.rival));
  }
  if (request.variable == kStoredRoot) {
    return check_root(request);
  }
  if (request.variable == kStoredXml) {
    return check_xml(request);
  }
  return request.variable == kSyntheticMachine ? check_synthetic(request) : Result<void>{};
}

std::string why_not_used(const TopologyRequest& request) {
  if (request.variable == kStoredXml) {
    const auto head = head_of(request.value);
    return head && xml_version(*head) ? "the file is cut off or damaged"
                                      : "the file is not a topology that lstopo saved as XML";
  }
  if (request.variable == kStoredRoot) {
    return fmt::format("its /{} does not say which CPUs exist", kCpuFolders.front());
  }
  return request.variable == kStoredCpuid ? "it is not a folder that hwloc-gather-cpuid wrote"
                                          : "hwloc does not understand the description";
}

std::uint64_t cpus_described(std::string_view synthetic) {
  std::uint64_t cpus = 1;
  int depth = 0;
  bool starts_level = true;
  for (std::size_t at = 0; at < synthetic.size(); ++at) {
    const char one = synthetic[at];
    depth += one == '[' || one == '(' ? 1 : one == ']' || one == ')' ? -1 : 0;
    if (depth == 0 && one >= '0' && one <= '9' && starts_level) {
      std::uint64_t number = 0;
      const char* end = synthetic.data() + synthetic.size();
      const auto read = std::from_chars(synthetic.data() + at, end, number);
      const bool fits = read.ec == std::errc{} && (number == 0 || cpus <= UINT64_MAX / number);
      cpus = fits ? cpus * number : UINT64_MAX;
      at = static_cast<std::size_t>(read.ptr - synthetic.data()) - 1;
    }
    starts_level = one == ' ' || one == ':';
  }
  return cpus;
}

}  // namespace streamgage
