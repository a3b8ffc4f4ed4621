// The monotonic clock: readings in seconds that mean the same on every CPU.
#pragma once

#include <chrono>
#include <string>

namespace streamgage {

// A moment, for differences alone.
using Instant = std::chrono::steady_clock::time_point;

// The moment of the call.
inline Instant now() { return std::chrono::steady_clock::now(); }

// From the one to the other; negative where that is before.
inline double seconds_between(Instant start, Instant end) {
  return std::chrono::duration<double>(end - start).count();
}

// What differences the clock can show.
struct ClockFacts {
  std::string source;              // the kernel's clock source, e.g. "tsc"
  double granularity_seconds = 0;  // smallest difference seen between two different readings
  double overhead_seconds = 0;     // mean time of one reading
};

// Reads the clock some ten thousand times.
ClockFacts examine_clock(const std::string& sys_root = "/sys");

}  // namespace streamgage
