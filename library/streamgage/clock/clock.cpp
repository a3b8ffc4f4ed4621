#include "streamgage/clock/clock.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include <fmt/format.h>

namespace streamgage {

ClockFacts examine_clock(const std::string& sys_root) {
  constexpr int kReadings = 20'000;
  ClockFacts facts;
  facts.granularity_seconds = std::numeric_limits<double>::infinity();
  const Instant first = now();
  Instant before = first;
  int readings = 0;
  // A coarse clock stands still for many readings: go on until it has moved.
  for (; readings < kReadings || before == first; ++readings) {
    const Instant after = now();
    if (after != before) {
      facts.granularity_seconds =
          std::min(facts.granularity_seconds, seconds_between(before, after));
    }
    before = after;
  }
  facts.overhead_seconds = seconds_between(first, before) / readings;

  std::string kernel_source;
  std::ifstream(sys_root + "/devices/system/clocksource/clocksource0/current_clocksource") >>
      kernel_source;
  facts.source = kernel_source.empty() ? "CLOCK_MONOTONIC"
                                       : fmt::format("CLOCK_MONOTONIC ({})", kernel_source);
  return facts;
}

}  // namespace streamgage
