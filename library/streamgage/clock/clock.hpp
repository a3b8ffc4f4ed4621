// The monotonic clock: readings in seconds that mean the same on every CPU.
#pragma once

#include <chrono>
#include <string>

namespace streamgage {

// A moment; only differences have a meaning.
using Instant = std::chrono::steady_clock::time_point;

// Returns the moment of the call.
inline Instant now() { return std::chrono::steady_clock::now(); }

// Returns the seconds from one to the other; negative if the other is earlier.
inline double seconds_between(Instant start, Instant end) {
  return std::chrono::duration<double>(end - start).count();
}

// The resolution of the clock.
struct ClockFacts {
  std::string source;              // the kernel's clock source, e.g. "tsc"
  double granularity_seconds = 0;  // smallest difference seen between two different readings
  double overhead_seconds = 0;     // mean time of one reading
};

// Measures the resolution by reading the clock some ten thousand times.
ClockFacts examine_clock(const std::string& sys_root = "/sys");

}  // namespace streamgage
