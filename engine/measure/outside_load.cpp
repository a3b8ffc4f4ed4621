#include "measure/outside_load.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <set>
#include <utility>

#include "base/json_lines.hpp"

#include "contract/course.hpp"
#include "streamgage/topology/cgroup/cgroup.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage::engine {
namespace {

// Fields of a "cpuN" line, in clock ticks (proc(5)).
enum Field : std::size_t { kUser, kNice, kSystem, kIdle, kIowait, kIrq, kSoftirq, kSteal, kFields };

void add(std::optional<double>& total, const std::optional<double>& next) {
  if (next) {
    total = total.value_or(0.0) + *next;
  }
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

double own_cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

std::optional<CpuTimes> parse_cpu_times(std::string_view stat, const CpuList& cpus,
                                        double ticks_a_second) {
  std::set<int> wanted(cpus.begin(), cpus.end());
  CpuTimes times;
  while (!stat.empty()) {
    std::string_view line = take_line(stat);
    std::string_view name = take_word(line);
    int cpu = 0;
    if (name.substr(0, 3) != "cpu" || name.size() == 3) {
      continue;
    }
    name.remove_prefix(3);
    if (std::from_chars(name.data(), name.data() + name.size(), cpu).ec != std::errc{} ||
        wanted.erase(cpu) == 0) {
      continue;
    }
    std::array<double, kFields> ticks{};
    for (double& field : ticks) {
      field = static_cast<double>(parse_unsigned(take_word(line)).value_or(0));
    }
    times.busy += (ticks[kUser] + ticks[kNice] + ticks[kSystem] + ticks[kIrq] + ticks[kSoftirq]) /
                  ticks_a_second;
    times.idle += (ticks[kIdle] + ticks[kIowait]) / ticks_a_second;
    times.steal += ticks[kSteal] / ticks_a_second;
  }
  return wanted.empty() ? std::optional(times) : std::nullopt;
}

nlohmann::ordered_json to_record(const Disturbance& disturbance) {
  return to_json(record::Disturbance{.first_block = disturbance.first_block,
                                     .last_block = disturbance.last_block,
                                     .seconds = disturbance.seconds,
                                     .steal_seconds = disturbance.steal_seconds,
                                     .other_seconds = disturbance.other_seconds,
                                     .throttled_seconds = disturbance.throttled_seconds});
}

void add(Disturbance& total, const Disturbance& next) {
  total.last_block = next.last_block;
  total.seconds += next.seconds;
  add(total.steal_seconds, next.steal_seconds);
  add(total.other_seconds, next.other_seconds);
  add(total.throttled_seconds, next.throttled_seconds);
}

OutsideLoad::OutsideLoad(CpuList cpus, FileRoots roots)
    : cpus_(std::move(cpus)), roots_(std::move(roots)), last_(read()) {}

OutsideLoad::Reading OutsideLoad::read() const {
  Reading reading;
  reading.at = now();
  if (const auto stat = read_pseudo_file(roots_.proc + "/stat")) {
    reading.cpus = parse_cpu_times(*stat, cpus_, static_cast<double>(sysconf(_SC_CLK_TCK)));
  }
  reading.own_seconds = own_cpu_seconds();
  reading.throttled_seconds = throttled_seconds(roots_);
  return reading;
}

std::optional<Disturbance> OutsideLoad::since_last(int block, double least_seconds) {
  if (block < next_block_ || seconds_between(last_.at, now()) < least_seconds) {
    return std::nullopt;
  }
  const Reading reading = read();
  Disturbance disturbance;
  disturbance.first_block = next_block_;
  disturbance.last_block = block;
  disturbance.seconds = seconds_between(last_.at, reading.at);
  if (reading.cpus && last_.cpus) {
    disturbance.steal_seconds = reading.cpus->steal - last_.cpus->steal;
    const double own = reading.own_seconds - last_.own_seconds;
    disturbance.other_seconds = reading.cpus->busy - last_.cpus->busy - own;
  }
  if (reading.throttled_seconds && last_.throttled_seconds) {
    disturbance.throttled_seconds = *reading.throttled_seconds - *last_.throttled_seconds;
  }
  last_ = reading;
  next_block_ = block + 1;
  return disturbance;
}

}  // namespace streamgage::engine
