// Looks for the access shape that makes a kernel quickest on a device, and believes it only where
// fresh pairs of runs against the standard shape confirm it: the quickest of many was also lucky.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "base/json_lines.hpp"
#include "devices/measure/device_shape.hpp"
#include "devices/measure/device_workload.hpp"
#include "kernels/variant.hpp"
#include "measure/tuning/pairs.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

struct DeviceTuning {
  DeviceShape shape;    // that is measured
  bool tuned = false;   // it is not the standard one
  DeviceShape fastest;  // the winner of the race, whether or not it was believed
  std::size_t candidates = 0;
  std::size_t untried = 0;  // for which there was no time
  std::size_t wrong = 0;    // that computed something else, and were left out
  std::size_t samples = 0;
  Pairs pairs;  // with the standard one; none where that won the race
  double seconds = 0.0;
};

Json to_record(const DeviceTuning& tuning, const Variant& variant);

class DeviceTuner {
 public:
  // `seconds`: of a launch, by the clock that is believed. `stopped` is asked before every run.
  DeviceTuner(const DeviceFacts& facts, DeviceWorkload& workload, std::int64_t elements,
              std::uint64_t seed, std::function<double(const LaunchTimes&)> seconds,
              std::function<bool()> stopped)
      : facts_(facts),
        workload_(workload),
        elements_(elements),
        random_(seed),
        seconds_(std::move(seconds)),
        stopped_(std::move(stopped)) {}

  // Races shapes of that variant within about that time, compiling included; nothing where it was
  // stopped. Array a holds no pattern afterwards: restore() it.
  Result<std::optional<DeviceTuning>> tune(const Variant& variant, const DeviceShape& standard,
                                           double budget_seconds);

 private:
  std::optional<double> time(const Variant& variant, const DeviceShape& shape);
  Result<std::vector<DeviceShape>> admitted(const Variant& variant,
                                            const std::vector<DeviceShape>& shapes,
                                            const DeviceShape& standard, double seconds_left,
                                            DeviceTuning& tuning);
  std::optional<DeviceShape> quickest(const Variant& variant, const std::vector<DeviceShape>& field,
                                      double budget_seconds, DeviceTuning& tuning);
  Result<std::optional<DeviceTuning>> ended();

  const DeviceFacts& facts_;
  DeviceWorkload& workload_;
  std::int64_t elements_;
  std::mt19937_64 random_;
  std::function<double(const LaunchTimes&)> seconds_;
  std::function<bool()> stopped_;
  std::optional<Error> error_;  // of a run that had succeeded before
  std::int64_t window_ = 0;
  std::int64_t windows_ = 1;
};

}  // namespace streamgage::engine
