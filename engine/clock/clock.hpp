// The monotonic clock: readings in seconds that mean the same on every CPU.
#pragma once

#include <chrono>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace streamgage {

using Instant = std::chrono::steady_clock::time_point;

inline Instant now() { return std::chrono::steady_clock::now(); }

inline double seconds_between(Instant start, Instant end) {
  return std::chrono::duration<double>(end - start).count();
}

struct ClockFacts {
  std::string source;              // the kernel's clock source, e.g. "tsc"
  double granularity_seconds = 0;  // smallest difference seen between two unlike readings
  double overhead_seconds = 0;     // mean time of one reading
};

// Reads the clock some ten thousand times.
ClockFacts examine_clock(const std::string& sys_root = "/sys");

nlohmann::ordered_json to_record(const ClockFacts& clock);

}  // namespace streamgage
