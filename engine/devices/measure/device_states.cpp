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

Json DeviceStates::record() const {
  if (readings_ == 0) {
    return nullptr;
  }
  Json slowed = Json::array();
  for (const auto& [reason, readings] : slowed_by_) {
    slowed.push_back(Json{{"reason", reason}, {"readings", readings}});
  }
  return {{"record", "device-state"},
          {"readings", readings_},
          {"core_hertz_low", or_null(core_hertz_.low)},
          {"core_hertz_high", or_null(core_hertz_.high)},
          {"memory_hertz_low", or_null(memory_hertz_.low)},
          {"memory_hertz_high", or_null(memory_hertz_.high)},
          {"watts_high", or_null(watts_.high)},
          {"limit_watts", or_null(limit_watts_.low)},
          {"celsius_high", or_null(celsius_.high)},
          {"other_processes", or_null(other_processes_)},
          {"slowed_by", slowed}};
}

}  // namespace streamgage::engine
