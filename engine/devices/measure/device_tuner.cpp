#include "devices/measure/device_tuner.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "contract/variants.hpp"
#include "kernels/vector/shapes.hpp"
#include "measure/tuning/successive_halving.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

// A launch over a window: long against its own overhead.
constexpr double kSecondsOfWindow = 0.004;
constexpr std::int64_t kMostWindows = 256;
constexpr std::int64_t kFewestElements = 1 << 20;  // of a window
// Shares of the time: of compiling and racing vectors, of racing groups; the rest confirms.
constexpr double kShareOfVectors = 0.5;
constexpr double kShareOfGroups = 0.25;

AccessShape of_device(const DeviceShape& shape) {
  AccessShape whole;
  whole.device = shape;
  return whole;
}

}  // namespace

Json to_record(const DeviceTuning& tuning, const Variant& variant) {
  return to_json(record::Tuning{.kernel = std::string(variant.kernel->name),
                                .store = std::string(name_of(variant.store)),
                                .isa = variant.isa,
                                .type = variant.type,
                                .source = record::ShapeSource::kRaced,
                                .shape = of_device(tuning.shape),
                                .tuned = tuning.tuned,
                                .fastest = of_device(tuning.fastest),
                                .candidates = tuning.candidates,
                                .untried = tuning.untried,
                                .wrong = tuning.wrong,
                                .samples = tuning.samples,
                                .pairs = tuning.pairs.count,
                                .ratio = tuning.pairs.ratio,
                                .ratio_low = tuning.pairs.low,
                                .ratio_high = tuning.pairs.high,
                                .seconds = tuning.seconds});
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

// Those that compile, run and compute what they must, as far as the time lasts; a driver may refuse
// some. A fault in one may leave a device that runs nothing any more.
Result<std::vector<DeviceShape>> DeviceTuner::admitted(const Variant& variant,
                                                       const std::vector<DeviceShape>& shapes,
                                                       const DeviceShape& standard,
                                                       double seconds_left, DeviceTuning& tuning) {
  const Instant start = now();
  std::vector<DeviceShape> field;
  for (const DeviceShape& shape : shapes) {
    if (stopped_() || (!field.empty() && seconds_between(start, now()) > seconds_left)) {
      tuning.untried += static_cast<std::size_t>(&shapes.back() - &shape) + 1;
      break;
    }
    const auto is_right = workload_.is_right_in_part(variant, shape);
    if (!is_right && !workload_.is_right_in_part(variant, standard)) {
      return failure(fmt::format("{}; it ran {} in the shape {}: --no-tune leaves such shapes out",
                                 is_right.error().message, variant.kernel->name,
                                 to_json(of_device(shape)).dump()));
    }
    if (is_right && *is_right) {
      field.push_back(shape);
    } else if (is_right) {
      ++tuning.wrong;
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
  STREAMGAGE_TRY(auto field,
                 admitted(variant, candidate_vectors(facts_, *variant.kernel, variant.type),
                          standard, budget_seconds * kShareOfVectors / 2, tuning));
  if (std::find(field.begin(), field.end(), standard) == field.end()) {
    field.push_back(standard);
  }
  auto best = quickest(variant, field, budget_seconds * kShareOfVectors / 2, tuning);
  if (!best) {
    return ended();
  }
  STREAMGAGE_TRY(const auto most, workload_.most_group_items(variant, *best));
  STREAMGAGE_TRY(
      field, admitted(variant, candidate_groups(facts_, *variant.kernel, variant.type, *best, most),
                      standard, budget_seconds * kShareOfGroups / 2, tuning));
  field.push_back(*best);
  best = quickest(variant, field, budget_seconds * kShareOfGroups / 2, tuning);
  if (!best) {
    return ended();
  }
  tuning.fastest = *best;
  if (*best != standard) {
    const double left = budget_seconds - seconds_between(start, now());
    const auto pairs = time_pairs(left, random_, [&](Side side) {
      return time(variant, side == Side::kDefault ? standard : tuning.fastest);
    });
    if (!pairs) {
      return ended();
    }
    tuning.pairs = *pairs;
  }
  if (tuning.pairs.confirm()) {
    tuning.shape = tuning.fastest;
    tuning.tuned = true;
  }
  tuning.seconds = seconds_between(start, now());
  return std::optional(tuning);
}

}  // namespace streamgage::engine
