// How a device ran under load, from readings right after samples: clocks, power, temperature, and
// what kept it slow.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/json_lines.hpp"
#include "contract/device.hpp"
#include "devices/device.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {

class DeviceStates {
 public:
  // Reads it unless the last reading was a moment ago.
  void read(Device& device);
  void add(const DeviceState& state);

  // Of all readings; nothing where there is none.
  [[nodiscard]] std::optional<record::DeviceState> record() const;

  [[nodiscard]] int readings() const { return readings_; }
  // The most at one reading; nothing where the driver does not say it.
  [[nodiscard]] std::optional<int> other_processes() const { return other_processes_; }
  // In how many readings each reason kept the clocks low.
  [[nodiscard]] const std::map<std::string, int>& slowed_by() const { return slowed_by_; }

 private:
  struct Range {
    std::optional<double> low;
    std::optional<double> high;
    void add(std::optional<double> value);
  };

  std::optional<Instant> last_;
  int readings_ = 0;
  Range core_hertz_;
  Range memory_hertz_;
  Range watts_;
  Range limit_watts_;
  Range celsius_;
  std::optional<int> other_processes_;    // the most
  std::map<std::string, int> slowed_by_;  // readings
};

}  // namespace streamgage::engine
