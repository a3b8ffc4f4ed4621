#include "node/node_line.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_lines.hpp"
#include "devices/device_record.hpp"
#include "node/frames.hpp"
#include "node/warnings.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

constexpr std::size_t kMostSamplesOfLine = 24;

// Names come from firmware and administrators: no more of them than is worth reading.
constexpr std::size_t kMostBytesOfName = 96;

Json name_or_null(const std::optional<std::string>& name) {
  return name ? Json(name->substr(0, kMostBytesOfName)) : Json(nullptr);
}

// GB/s, as far as digits mean something.
double rate_of(double bytes_per_second) { return std::round(bytes_per_second * 1e-4) / 1e5; }

// Some of the samples, evenly spaced: two groups of them show a node that flaps.
Json some_samples(const std::vector<double>& samples) {
  const std::size_t step = (samples.size() + kMostSamplesOfLine - 1) / kMostSamplesOfLine;
  Json some = Json::array();
  for (std::size_t place = 0; place < samples.size(); place += std::max<std::size_t>(step, 1)) {
    some.push_back(std::round(samples[place] * 1e-7) / 1e2);
  }
  return some;
}

// "24 x 32 GiB DDR5-4800"; null where no module is known.
Json modules_in_words(const std::vector<MemoryModule>& modules) {
  std::map<std::string, int> kinds;
  for (const MemoryModule& each : modules) {
    if (each.bytes != 0) {
      std::string kind = format_bytes(each.bytes);
      if (each.kind) {
        kind += " " + *each.kind;
      }
      if (const auto rate = each.rate()) {
        kind += each.kind ? fmt::format("-{}", *rate) : fmt::format(" {} MT/s", *rate);
      }
      ++kinds[kind];
    }
  }
  std::vector<std::string> texts;
  texts.reserve(kinds.size());
  for (const auto& [kind, number] : kinds) {
    texts.push_back(fmt::format("{} x {}", number, kind));
  }
  return texts.empty() ? Json(nullptr) : name_or_null(fmt::format("{}", fmt::join(texts, " + ")));
}

Json figure_of(const Figure& figure) {
  const auto& interval = figure.rate.interval;
  const Variant& variant = figure.variant;
  const std::string stores =
      variant.store == StoreMode::kPlain ? "" : fmt::format(" {}", name_of(variant.store));
  return {{"kernel", fmt::format("{}{}", variant.kernel->name, stores)},
          {"gbps", rate_of(figure.rate.median)},
          {"low", interval ? Json(rate_of(interval->low)) : Json(nullptr)},
          {"high", interval ? Json(rate_of(interval->high)) : Json(nullptr)},
          {"best", rate_of(figure.rate.maximum)},
          {"n", figure.rate.count},
          {"nominal_bytes", figure.nominal_bytes},
          {"isa", variant.isa},
          {"valid", or_null(figure.valid)},
          {"samples", some_samples(figure.samples)}};
}

Json part_rates(const std::vector<PartRate>& parts) {
  Json list = Json::array();
  for (const PartRate& each : parts) {
    list.push_back({{"number", each.number}, {"gbps", std::round(each.rate * 1e-7) / 1e2}});
  }
  return list;
}

// Leaves out those that say least, until so many bytes are saved: the median stays about the same,
// and what is far from it is there.
void shorten_parts(Json& parts, std::size_t bytes) {
  std::vector<double> rates;
  rates.reserve(parts.size());
  for (const Json& each : parts) {
    rates.push_back(each["gbps"].get<double>());
  }
  if (rates.empty()) {
    return;
  }
  std::sort(rates.begin(), rates.end());
  const double median = rates[rates.size() / 2];
  const auto distance = [median](const Json& part) {
    return std::abs(part["gbps"].get<double>() - median);
  };
  for (std::size_t saved = 0; saved < bytes && !parts.empty();) {
    const auto nearest = std::min_element(
        parts.begin(), parts.end(),
        [&](const Json& one, const Json& other) { return distance(one) < distance(other); });
    saved += nearest->dump().size() + 1;
    parts.erase(nearest);
  }
}

// When the run began.
std::string start_of(const NodeResult& result) {
  const auto seconds = static_cast<std::time_t>(std::llround(result.seconds));
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr) - seconds));
}

// What tells this node's hardware and settings from those of others.
Json of_processor(const NodeResult& result) {
  const Machine& machine = result.machine;
  const Circumstances& around = result.circumstances;
  return {
      {"domains", part_rates(result.parts.domains)},
      {"cores", part_rates(result.parts.cores)},
      {"threads", result.threads},
      {"cpus", format_cpu_list(around.cpus)},
      {"bound", around.bound},
      {"taken", or_null(share_taken(result))},
      {"cpu_quota", or_null(machine.cpu_quota)},
      {"processor", name_or_null(machine.processor)},
      {"architecture", name_or_null(machine.architecture)},
      {"packages", machine.packages},
      {"processor_cores", machine.cores},
      {"numa_nodes", machine.numa_nodes.size()},
      {"memory_bytes", or_null(machine.memory_bytes)},
      {"modules", modules_in_words(machine.memory_modules)},
      {"bios", name_or_null(result.firmware.bios)},
      {"microcode", name_or_null(result.firmware.microcode)},
      {"kernel", name_or_null(machine.kernel)},
      {"governor", machine.frequency ? name_or_null(machine.frequency->governor) : Json(nullptr)},
      {"huge_pages", or_null(machine.huge_pages)},
      {"hypervisor", name_or_null(machine.hypervisor)}};
}

// The host of a device has no part in its figures.
Json of_device(const MeasuredDevice& device) {
  const auto state = device.states.record();
  return {{"device", to_record(device.facts)},
          {"device_state", state ? to_json(*state) : Json(nullptr)}};
}

Json record_of(const NodeResult& result) {
  const Circumstances& around = result.circumstances;
  Json figures = Json::array();
  for (const Figure& each : result.figures) {
    figures.push_back(figure_of(each));
  }
  Json warnings = Json::array();
  for (const Warning& each : result.warnings) {
    warnings.push_back(each.code);
  }
  Json record{{"record", "node"},
              {"host", name_or_null(result.machine.host)},
              {"time", start_of(result)},
              {"engine", STREAMGAGE_VERSION},
              {"figures", std::move(figures)},
              {"warnings", std::move(warnings)},
              {"type", name_of(result.type)},
              {"array_bytes", around.size.bytes},
              {"last_level_cache_bytes", around.last_level_cache_bytes},
              {"seconds", std::round(result.seconds * 100) / 100},
              {"check_seconds", or_null(result.check_seconds)},
              {"disturbance", or_null(disturbance_of(result))}};
  record.update(result.device ? of_device(*result.device) : of_processor(result));
  return record;
}

// Text from firmware and kernel need not be UTF-8, and JSON must be.
std::string line_of(const Json& record) {
  std::string line = record.dump(-1, ' ', false, Json::error_handler_t::replace);
  line.pop_back();  // the last brace
  const std::string host = record["host"].is_string() ? record["host"].get<std::string>() : "";
  return line + fmt::format(R"(,"end":"{} {} {}"}})", host, line.size(), checksum_of(line)) + '\n';
}

}  // namespace

std::string format_line(const NodeResult& result) {
  Json record = record_of(result);
  std::string line = line_of(record);
  const bool has_processor = !result.device;
  if (line.size() > kMostBytesOfLine && has_processor) {
    record["cpus"] = nullptr;
    line = line_of(record);
  }
  if (line.size() > kMostBytesOfLine) {
    for (Json& figure : record["figures"]) {
      figure["samples"] = Json::array();
    }
    line = line_of(record);
  }
  if (has_processor) {
    for (const char* parts : {"cores", "domains"}) {
      if (line.size() > kMostBytesOfLine) {
        shorten_parts(record[parts], line.size() - kMostBytesOfLine);
        line = line_of(record);
      }
    }
  }
  return line;
}

}  // namespace streamgage::engine
