#include "devices/measure/device_states.hpp"

#include <algorithm>

namespace streamgage::engine {
namespace {

// A reading takes up to some milliseconds of the host's time.
constexpr double kSecondsBetween = 0.25;

}  // namespace

void DeviceStates::Range::add(std::optional<double> value) {
  if (value) {
    low = std::min(low.value_or(*value), *value);
    high = std::max(high.value_or(*value), *value);
  }
}

void DeviceStates::read(Device& device) {
  if (last_ && seconds_between(*last_, now()) < kSecondsBetween) {
    return;
  }
  if (const auto state = device.state()) {
    add(*state);
  }
  last_ = now();
}

void DeviceStates::add(const DeviceState& state) {
  ++readings_;
  core_hertz_.add(state.core_hertz);
  memory_hertz_.add(state.memory_hertz);
  watts_.add(state.watts);
  limit_watts_.add(state.limit_watts);
  celsius_.add(state.celsius);
  if (state.other_processes) {
    other_processes_ = std::max(other_processes_.value_or(0), *state.other_processes);
  }
  for (const std::string& reason : state.slowed_by) {
    ++slowed_by_[reason];
  }
}

std::optional<record::DeviceState> DeviceStates::record() const {
  if (readings_ == 0) {
    return std::nullopt;
  }
  record::DeviceState state{.readings = readings_,
                            .core_hertz_low = core_hertz_.low,
                            .core_hertz_high = core_hertz_.high,
                            .memory_hertz_low = memory_hertz_.low,
                            .memory_hertz_high = memory_hertz_.high,
                            .watts_high = watts_.high,
                            .limit_watts = limit_watts_.low,
                            .celsius_high = celsius_.high,
                            .other_processes = other_processes_,
                            .slowed_by = {}};
  for (const auto& [reason, readings] : slowed_by_) {
    state.slowed_by.push_back({.reason = reason, .readings = readings});
  }
  return state;
}

}  // namespace streamgage::engine
