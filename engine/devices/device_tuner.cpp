#include "devices/device_tuner.hpp"

#include <algorithm>
#include <utility>

#include "kernels/vector/shapes.hpp"
#include "measure/tuning/successive_halving.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/statistics/summary.hpp"

namespace streamgage::engine {
namespace {

// A launch over a window: long against its own overhead.
constexpr double kSecondsOfWindow = 0.004;
constexpr std::int64_t kMostWindows = 256;
constexpr std::int64_t kFewestElements = 1 << 20;  // of a window
// Shares of the time: of compiling and racing vectors, of racing groups; the rest confirms.
constexpr double kShareOfVectors = 0.5;
constexpr double kShareOfGroups = 0.25;
// A gain that is not certain to be at least this is not worth a shape of its own.
constexpr double kLeastGain = 1.005;
constexpr std::size_t kFewestConfirming = 11;
constexpr std::size_t kMostConfirming = 41;
constexpr double kSure = 0.95;

AccessShape of_device(const DeviceShape& shape) {
  AccessShape whole;
  whole.device = shape;
  return whole;
}

}  // namespace

Json to_record(const DeviceTuning& tuning, const Variant& variant) {
  return {{"record", "tuning"},
          {"kernel", variant.kernel->name},
          {"store", name_of(variant.store)},
          {"isa", variant.isa},
          {"type", name_of(variant.type)},
          {"source", "raced"},
          {"shape", to_json(of_device(tuning.shape))},
          {"tuned", tuning.tuned},
          {"fastest", to_json(of_device(tuning.fastest))},
          {"forced_read", nullptr},
          {"candidates", tuning.candidates},
          {"samples", tuning.samples},
          {"pairs", tuning.pairs},
          {"ratio", or_null(tuning.ratio)},
          {"ratio_low", or_null(tuning.low)},
          {"ratio_high", or_null(tuning.high)},
          {"seconds", tuning.seconds}};
}

std::optional<double> DeviceTuner::time(const Variant& variant, const DeviceShape& shape) {
  if (stopped_()) {
    return std::nullopt;
  }
  // One window after the other, so that none is met again before all others were.
  const auto times = workload_.run_window(variant, shape, window_++ % windows_, windows_);
  if (!times) {
    error_ = times.error();
    return std::nullopt;
  }
  return seconds_(*times);
}

// Those that compile and run, as far as the time lasts; a driver may refuse some.
std::vector<DeviceShape> DeviceTuner::admitted(const Variant& variant,
                                               const std::vector<DeviceShape>& shapes,
                                               double seconds_left) {
  const Instant start = now();
  std::vector<DeviceShape> field;
  for (const DeviceShape& shape : shapes) {
    if (stopped_() || (!field.empty() && seconds_between(start, now()) > seconds_left)) {
      break;
    }
    if (workload_.run_window(variant, shape, window_++ % windows_, windows_)) {
      field.push_back(shape);
    }
  }
  return field;
}

std::optional<DeviceShape> DeviceTuner::quickest(const Variant& variant,
                                                 const std::vector<DeviceShape>& field,
                                                 double budget_seconds, DeviceTuning& tuning) {
  const auto outcome = race(field.size(), budget_seconds, random_,
                            [&](std::size_t candidate) { return time(variant, field[candidate]); });
  if (!outcome) {
    return std::nullopt;
  }
  tuning.candidates += field.size();
  tuning.samples += outcome->samples;
  return field[outcome->winner()];
}

Result<std::optional<DeviceTuning>> DeviceTuner::ended() {
  if (error_) {
    return tl::unexpected(*std::exchange(error_, std::nullopt));
  }
  return std::optional<DeviceTuning>{};
}

Result<std::optional<DeviceTuning>> DeviceTuner::tune(const Variant& variant,
                                                      const DeviceShape& standard,
                                                      double budget_seconds) {
  const Instant start = now();
  windows_ = 1;
  const auto whole = time(variant, standard);
  if (!whole) {
    return ended();
  }
  windows_ = std::clamp(static_cast<std::int64_t>(*whole / kSecondsOfWindow), std::int64_t{1},
                        std::clamp(elements_ / kFewestElements, std::int64_t{1}, kMostWindows));
  DeviceTuning tuning;
  tuning.shape = standard;
  tuning.fastest = standard;
  // Half of a share compiles, half races.
  auto field = admitted(variant, candidate_vectors(facts_, variant.type),
                        budget_seconds * kShareOfVectors / 2);
  if (std::find(field.begin(), field.end(), standard) == field.end()) {
    field.push_back(standard);
  }
  auto best = quickest(variant, field, budget_seconds * kShareOfVectors / 2, tuning);
  if (!best) {
    return ended();
  }
  STREAMGAGE_TRY(const auto most, workload_.most_group_items(variant, *best));
  field =
      admitted(variant, candidate_groups(facts_, *best, most), budget_seconds * kShareOfGroups / 2);
  field.push_back(*best);
  best = quickest(variant, field, budget_seconds * kShareOfGroups / 2, tuning);
  if (!best) {
    return ended();
  }
  tuning.fastest = *best;
  const double left = budget_seconds - seconds_between(start, now());
  if (*best != standard && !confirm(variant, standard, left, tuning)) {
    return ended();
  }
  if (tuning.low && *tuning.low > kLeastGain) {
    tuning.shape = tuning.fastest;
    tuning.tuned = true;
  }
  tuning.seconds = seconds_between(start, now());
  return std::optional(tuning);
}

bool DeviceTuner::confirm(const Variant& variant, const DeviceShape& standard,
                          double budget_seconds, DeviceTuning& tuning) {
  std::vector<double> ratios;
  const Instant start = now();
  while (ratios.size() < kMostConfirming &&
         (ratios.size() < kFewestConfirming || seconds_between(start, now()) < budget_seconds)) {
    const bool standard_first = random_() % 2 == 0;
    const auto first = time(variant, standard_first ? standard : tuning.fastest);
    const auto second = time(variant, standard_first ? tuning.fastest : standard);
    if (!first || !second) {
      return false;
    }
    ratios.push_back(standard_first ? *first / *second : *second / *first);
  }
  std::sort(ratios.begin(), ratios.end());
  tuning.pairs = ratios.size();
  tuning.ratio = median_of_sorted(ratios);
  if (const auto interval = median_interval_of_sorted(ratios, kSure)) {
    tuning.low = interval->low;
    tuning.high = interval->high;
  }
  return true;
}

}  // namespace streamgage::engine
