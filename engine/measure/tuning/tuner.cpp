#include "measure/tuning/tuner.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/make_variant.hpp"
#include "kernels/vector/shapes.hpp"
#include "measure/pass_time.hpp"
#include "measure/tuning/successive_halving.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

// A run over a window: long against the start of the threads, short enough for hundreds of them.
constexpr double kWindowSeconds = 0.004;
constexpr std::int64_t kMostTrialWindows = 256;
constexpr double kShareOfConfirmation = 0.25;
// The pairs run over larger windows, to be nearer to what is measured later: memory may serve a
// short burst at a rate that it cannot hold.
constexpr std::int64_t kWindowsOfAPair = 4;

}  // namespace

Json to_record(const Tuning& tuning) {
  return to_json(record::Tuning{.kernel = std::string(tuning.variant.kernel->name),
                                .store = std::string(name_of(tuning.variant.store)),
                                .isa = tuning.variant.isa,
                                .type = tuning.variant.type,
                                .source = tuning.source,
                                .shape = *tuning.variant.shape,
                                .tuned = tuning.variant.tuned,
                                .fastest = tuning.fastest,
                                .forced_read = tuning.forced_read,
                                .candidates = tuning.candidates,
                                .samples = tuning.samples,
                                .pairs = tuning.pairs.count,
                                .ratio = tuning.pairs.ratio,
                                .ratio_low = tuning.pairs.low,
                                .ratio_high = tuning.pairs.high,
                                .seconds = tuning.seconds});
}

std::optional<double> Tuner::time(const Variant& variant) {
  if (stopped_()) {
    return std::nullopt;
  }
  // One window after the other, so that none is met again before all others were.
  const WalkedCall walked = workload_.run_window(team_, variant, window_++ % windows_, windows_);
  return pass_time(walked.timing, walked.walks, 1).seconds.value_or(walked.timing.seconds);
}

std::optional<Tuning> Tuner::tune(const Variant& standard, double budget_seconds) {
  const Instant start = now();
  windows_ = 1;
  const auto whole = time(standard);
  if (!whole) {
    return std::nullopt;
  }
  windows_ = std::clamp(static_cast<std::int64_t>(*whole / kWindowSeconds), std::int64_t{1},
                        kMostTrialWindows);
  std::vector<Variant> field;
  const VectorStore store = vector_store(standard.store);
  for (const AccessShape& shape : candidate_shapes(*standard.kernel, store)) {
    field.push_back(reshaped(standard, shape));
  }
  const auto left = [&] { return budget_seconds - seconds_between(start, now()); };
  const auto outcome = race(field.size(), left() * (1.0 - kShareOfConfirmation), random_,
                            [&](std::size_t candidate) { return time(field[candidate]); });
  if (!outcome) {
    return std::nullopt;
  }
  const Variant& fastest = field[outcome->winner()];
  Tuning tuning;
  tuning.variant = standard;
  tuning.fastest = *fastest.shape;
  for (const std::size_t candidate : outcome->standing) {
    if (forces_reads(field[candidate])) {
      tuning.forced_read = field[candidate].shape;
      break;
    }
  }
  tuning.candidates = field.size();
  tuning.samples = outcome->samples;
  if (fastest.tuned) {
    const double budget = left();
    windows_ = std::max(windows_ / kWindowsOfAPair, std::int64_t{1});
    const auto pairs = time_pairs(budget, random_, [&](Side side) {
      return time(side == Side::kDefault ? standard : fastest);
    });
    if (!pairs) {
      return std::nullopt;
    }
    tuning.pairs = *pairs;
  }
  if (tuning.pairs.confirm()) {
    tuning.variant = fastest;
  }
  tuning.seconds = seconds_between(start, now());
  return tuning;
}

std::optional<KnownShape> known_shape(const TuningRequest& request, const Variant& standard) {
  for (const KnownShape& known : request.known) {
    if (known.kernel == standard.kernel->name && known.store == name_of(standard.store) &&
        known.isa == standard.isa && check_shape(known.shape) &&
        !(known.forced_read && !check_shape(*known.forced_read))) {
      return known;
    }
  }
  return std::nullopt;
}

}  // namespace streamgage::engine
