#include "node/node_line.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_lines.hpp"
#include "contract/node.hpp"
#include "devices/device_record.hpp"
#include "node/frames.hpp"
#include "node/warnings.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

constexpr std::size_t kMostSamplesOfLine = 24;

// Names come from firmware and administrators: no more of them than is worth reading.
constexpr std::size_t kMostBytesOfName = 96;

std::optional<std::string> shortened_name(const std::optional<std::string>& name) {
  return name ? std::optional(name->substr(0, kMostBytesOfName)) : std::nullopt;
}

// GB/s, as far as digits mean something.
double rate_of(double bytes_per_second) { return std::round(bytes_per_second * 1e-4) / 1e5; }

// Some of the samples, evenly spaced: two groups of them show a node that flaps.
std::vector<double> some_samples(const std::vector<double>& samples) {
  const std::size_t step = (samples.size() + kMostSamplesOfLine - 1) / kMostSamplesOfLine;
  std::vector<double> some;
  for (std::size_t place = 0; place < samples.size(); place += std::max<std::size_t>(step, 1)) {
    some.push_back(std::round(samples[place] * 1e-7) / 1e2);
  }
  return some;
}

// "24 x 32 GiB DDR5-4800"; nothing where no module is known.
std::optional<std::string> modules_in_words(const std::vector<MemoryModule>& modules) {
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
  return texts.empty() ? std::nullopt : shortened_name(fmt::format("{}", fmt::join(texts, " + ")));
}

record::NodeFigure figure_of(const Figure& figure) {
  const auto& interval = figure.rate.interval;
  const Variant& variant = figure.variant;
  return {.kernel = name_of_figure(variant.kernel->name, variant.store),
          .gbps = rate_of(figure.rate.median),
          .low = interval ? std::optional(rate_of(interval->low)) : std::nullopt,
          .high = interval ? std::optional(rate_of(interval->high)) : std::nullopt,
          .n = figure.rate.count,
          .best = rate_of(figure.rate.maximum),
          .nominal_bytes = figure.nominal_bytes,
          .isa = std::string(variant.isa),
          .valid = figure.valid,
          .samples = some_samples(figure.samples)};
}

std::vector<record::NodeLimit> limits_of(const std::vector<ExpectedRate>& expected) {
  std::vector<record::NodeLimit> limits;
  limits.reserve(expected.size());
  for (const ExpectedRate& each : expected) {
    // A quotient of whole numbers has no more digits than it needs: 420, not 420.00000000000006.
    limits.push_back({.kernel = name_of(each),
                      .expected_gbps = each.rate / 1e9,
                      .limit_gbps = each.limit() / 1e9});
  }
  return limits;
}

std::vector<record::NodeDomain> part_rates(const std::vector<PartRate>& parts) {
  std::vector<record::NodeDomain> list;
  list.reserve(parts.size());
  for (const PartRate& each : parts) {
    list.push_back({.number = each.number, .gbps = std::round(each.rate * 1e-7) / 1e2});
  }
  return list;
}

// Leaves out those that say least, until so many bytes are saved: the median stays about the same,
// and what is far from it is there.
void shorten_parts(std::vector<record::NodeDomain>& parts, std::size_t bytes) {
  std::vector<double> rates;
  rates.reserve(parts.size());
  for (const record::NodeDomain& each : parts) {
    rates.push_back(each.gbps);
  }
  if (rates.empty()) {
    return;
  }
  std::sort(rates.begin(), rates.end());
  const double median = rates[rates.size() / 2];
  const auto distance = [median](const record::NodeDomain& part) {
    return std::abs(part.gbps - median);
  };
  for (std::size_t saved = 0; saved < bytes && !parts.empty();) {
    const auto nearest = std::min_element(
        parts.begin(), parts.end(),
        [&](const auto& one, const auto& other) { return distance(one) < distance(other); });
    saved += to_json(*nearest).dump().size() + 1;
    parts.erase(nearest);
  }
}

// When the run began.
std::string start_of(const NodeResult& result) {
  const auto seconds = static_cast<std::time_t>(std::llround(result.seconds));
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr) - seconds));
}

// What tells this node's hardware and settings from those of others.
void add_processor(record::NodeLine& line, const NodeResult& result) {
  const Machine& machine = result.machine;
  const Circumstances& around = result.circumstances;
  line.domains = part_rates(result.parts.domains);
  line.cores = part_rates(result.parts.cores);
  line.threads = result.threads;
  line.cpus = format_cpu_list(around.cpus);
  line.bound = around.bound;
  line.taken = share_taken(result);
  line.cpu_quota = machine.cpu_quota;
  line.processor = shortened_name(machine.processor);
  line.architecture = shortened_name(machine.architecture);
  line.packages = machine.packages;
  line.processor_cores = machine.cores;
  line.numa_nodes = machine.numa_nodes.size();
  line.memory_bytes = machine.memory_bytes;
  line.modules = modules_in_words(machine.memory_modules);
  line.bios = shortened_name(result.firmware.bios);
  line.microcode = shortened_name(result.firmware.microcode);
  line.kernel = shortened_name(machine.kernel);
  line.governor = machine.frequency ? shortened_name(machine.frequency->governor) : std::nullopt;
  line.huge_pages = machine.huge_pages;
  line.hypervisor = shortened_name(machine.hypervisor);
}

// Text from firmware and kernel need not be UTF-8, and JSON must be.
std::string text_of(const record::NodeLine& line) {
  std::string text = to_json(line).dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();  // the last brace
  return text + fmt::format(R"(,"end":"{} {} {}"}})", line.host, text.size(), checksum_of(text)) +
         '\n';
}

}  // namespace

record::NodeLine record_of(const NodeResult& result) {
  const Circumstances& around = result.circumstances;
  record::NodeLine line{.host = shortened_name(result.machine.host).value_or(""),
                        .time = start_of(result),
                        .engine = STREAMGAGE_VERSION,
                        .figures = {},
                        .type = result.type,
                        .array_bytes = around.size.bytes,
                        .last_level_cache_bytes = around.last_level_cache_bytes,
                        .seconds = std::round(result.seconds * 100) / 100,
                        .check_seconds = result.check_seconds,
                        .expected = limits_of(result.expected),
                        .disturbance = disturbance_of(result)};
  for (const Figure& each : result.figures) {
    line.figures.push_back(figure_of(each));
  }
  for (const Warning& each : result.warnings) {
    line.warnings.push_back(each.code);
  }
  // The host of a device has no part in its figures.
  if (result.device) {
    line.device = record_of(result.device->facts);
    line.device_state = result.device->states.record();
  } else {
    add_processor(line, result);
  }
  return line;
}

std::string format_line(const NodeResult& result) {
  record::NodeLine line = record_of(result);
  std::string text = text_of(line);
  if (text.size() > kMostBytesOfLine) {
    line.cpus.reset();
    text = text_of(line);
  }
  if (text.size() > kMostBytesOfLine) {
    for (record::NodeFigure& figure : line.figures) {
      figure.samples.clear();
    }
    text = text_of(line);
  }
  for (auto* parts : {&line.cores, &line.domains}) {
    if (text.size() > kMostBytesOfLine) {
      shorten_parts(*parts, text.size() - kMostBytesOfLine);
      text = text_of(line);
    }
  }
  return text;
}

}  // namespace streamgage::engine
