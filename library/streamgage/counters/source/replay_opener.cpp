#include "streamgage/counters/source/replay_opener.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

using nlohmann::json;

// Far above what Linux can be built for.
constexpr std::uint64_t kLastCpu = (1U << 20U) - 1;

using Readings = std::vector<tl::expected<Tally, std::error_code>>;

class ReplayedCounter final : public OpenCounter {
 public:
  explicit ReplayedCounter(Readings readings) : readings_(std::move(readings)) {}

  tl::expected<Tally, std::error_code> read() override {
    if (next_ == readings_.size()) {  // the recording is over
      return tl::unexpected(std::error_code(ENODATA, std::generic_category()));
    }
    return readings_[next_++];
  }

 private:
  Readings readings_;
  std::size_t next_ = 0;
};

std::optional<std::error_code> error_named(const json& name) {
  constexpr std::array kErrors = std::to_array<std::pair<std::string_view, int>>({
      {"EACCES", EACCES},
      {"EAGAIN", EAGAIN},
      {"EBUSY", EBUSY},
      {"EINVAL", EINVAL},
      {"EIO", EIO},
      {"EMFILE", EMFILE},
      {"ENODEV", ENODEV},
      {"ENOENT", ENOENT},
      {"ENOSYS", ENOSYS},
      {"EPERM", EPERM},
  });
  for (const auto& [known, code] : kErrors) {
    if (name.is_string() && name.get_ref<const std::string&>() == known) {
      return std::error_code(code, std::generic_category());
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number(const json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_number_unsigned()) {
    return std::nullopt;
  }
  return found->get<std::uint64_t>();
}

std::optional<std::string> text(const json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end() || !found->is_string()) {
    return std::nullopt;
  }
  return found->get<std::string>();
}

}  // namespace

Result<std::unique_ptr<ReplayOpener>> ReplayOpener::from_text(std::string_view text) {
  auto opener = std::make_unique<ReplayOpener>();
  int number_of_line = 0;
  while (!text.empty()) {
    ++number_of_line;
    const std::string_view line = trim_blanks(take_line(text));
    if (line.empty()) {
      continue;
    }
    if (const auto added = opener->add_line(line); !added) {
      return usage_error(
          fmt::format("line {} of the recording: {}", number_of_line, added.error().message));
    }
  }
  return opener;
}

Result<std::unique_ptr<ReplayOpener>> ReplayOpener::from_file(const std::string& path) {
  const auto text = read_pseudo_file(path);
  if (!text) {
    return usage_error(
        fmt::format("the recording '{}' cannot be read: {}", path, text.error().message()));
  }
  return from_text(*text);
}

Result<void> ReplayOpener::add_line(std::string_view line) {
  const json parsed = json::parse(line, nullptr, false);
  if (!parsed.is_object()) {
    return failure("it is not a JSON object");
  }
  const auto pmu = text(parsed, "pmu");
  const auto event = text(parsed, "event");
  const auto cpu = number(parsed, "cpu");
  if (!pmu || !event || !cpu) {
    return failure("it lacks 'pmu', 'event' or 'cpu'");
  }
  if (*cpu > kLastCpu) {
    return failure(fmt::format("'cpu' is {}, and no system has more than {}", *cpu, kLastCpu + 1));
  }
  Stream& stream = streams_[{*pmu, *event, static_cast<int>(*cpu)}];
  for (const char* key : {"open", "error"}) {
    if (!parsed.contains(key)) {
      continue;
    }
    const auto error = error_named(parsed.at(key));
    if (!error) {
      return failure(fmt::format("'{}' is not the name of an error, such as EACCES", key));
    }
    if (parsed.size() != 4) {
      return failure(fmt::format("next to '{}' only 'pmu', 'event' and 'cpu' are allowed", key));
    }
    if (key == std::string_view("open")) {
      return add_open_error(stream, *error);
    }
    return add_failed_reading(stream, *error);
  }
  const auto value = number(parsed, "value");
  const auto enabled = number(parsed, "enabled");
  const auto running = number(parsed, "running");
  if (!value || !enabled || !running) {
    return failure("'value', 'enabled' and 'running' must be numbers from 0");
  }
  if (parsed.size() != 6) {
    return failure("only 'pmu', 'event', 'cpu', 'value', 'enabled' and 'running' are allowed");
  }
  return add_reading(stream, {*value, *enabled, *running});
}

Result<void> ReplayOpener::add_open_error(Stream& stream, std::error_code error) {
  if (!stream.readings.empty()) {
    return failure("this counter was opened, since it has been read above");
  }
  if (stream.open_error && stream.open_error != error) {
    return failure("this counter failed to open with another error above");
  }
  stream.open_error = error;
  return {};
}

Result<void> ReplayOpener::add_failed_reading(Stream& stream, std::error_code error) {
  if (stream.open_error) {
    return failure("a line above says that this counter could not be opened");
  }
  stream.readings.emplace_back(tl::unexpect, error);
  return {};
}

Result<void> ReplayOpener::add_reading(Stream& stream, const Tally& tally) {
  if (stream.open_error) {
    return failure("a line above says that this counter could not be opened");
  }
  if (tally.running > tally.enabled) {
    return failure("it ran for longer than it was enabled");
  }
  if (tally.enabled < stream.last.enabled || tally.running < stream.last.running) {
    return failure("its time is earlier than that of the reading above");
  }
  stream.readings.emplace_back(tally);
  stream.last = tally;
  return {};
}

std::size_t ReplayOpener::readings() const {
  std::size_t most = 0;
  for (const auto& entry : streams_) {
    most = std::max(most, entry.second.readings.size());
  }
  return most;
}

OpenedCounter ReplayOpener::open(const CounterRequest& request) {
  const auto stream = streams_.find({request.pmu, request.event, request.cpu});
  if (stream == streams_.end()) {
    return tl::unexpected(std::make_error_code(std::errc::no_such_file_or_directory));
  }
  if (stream->second.open_error) {
    return tl::unexpected(stream->second.open_error);
  }
  return std::make_unique<ReplayedCounter>(stream->second.readings);
}

}  // namespace streamgage
