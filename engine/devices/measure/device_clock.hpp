// The clock of a device: what a launch costs, and whether the device's stamps of start and end can
// be believed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/json_lines.hpp"
#include "devices/device.hpp"
#include "measure/ending.hpp"

namespace streamgage::engine {

struct DeviceClock {
  bool by_events = false;       // else by the host's clock
  double tick_seconds = 0.0;    // of the stamps
  double launch_seconds = 0.0;  // of a kernel that does nothing, by the host's clock
  std::optional<double> event_seconds = std::nullopt;  // of the launches that were tried
  double host_seconds = 0.0;

  // Of launches, by the clock that is believed.
  [[nodiscard]] double seconds_of(const LaunchTimes& times) const {
    return by_events && times.event_seconds ? *times.event_seconds : times.host_seconds;
  }
};

Json to_record(const DeviceClock& clock);

// What is launched to try a clock.
struct ClockTrial {
  std::function<Result<LaunchTimes>()> nothing;                      // starts and ends
  std::function<Result<LaunchTimes>(std::int64_t launches)> kernel;  // long against that
};

// Tries the clock of a device; `go_on` is asked before every launch.
tl::expected<DeviceClock, Stop> try_clock(const DeviceFacts& facts, const ClockTrial& trial,
                                          const std::function<Step()>& go_on);

}  // namespace streamgage::engine
