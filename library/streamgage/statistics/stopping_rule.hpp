// Decides when enough has been measured, by the rule of Hoefler and Belli ("Scientific
// benchmarking of parallel computing systems", SC15) with STREAM's custom of quoting the best.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "streamgage/statistics/sampling.hpp"

namespace streamgage {

// Returns whether the median is known within 1 % on either side, and the best time has improved by
// less than 0.3 % over the last max(10, n/3) samples. `seconds` are in the order measured. Samples
// that follow each other are similar on a machine that drifts, so the medians of eight stretches
// bound the median of all (with 99 % confidence, because repeated looks inflate the error of a 95 %
// interval). They bound it less closely the more neighbouring stretches correlate, and not at all
// if the samples hold fewer than five independent stretches, or are fewer than 24.
bool has_converged(const std::vector<double>& seconds);

// The reasons why measuring ends.
enum class StoppedBy { kConverged, kMaxSamples, kBudget };

// Returns "converged", "max-samples" or "budget".
std::string_view name_of(StoppedBy reason);

// The progress of a measurement.
struct Progress {
  std::size_t fewest_samples = 0;  // timed ones of the variant that has the fewest
  double elapsed_seconds = 0.0;
  double block_seconds = 0.0;  // of the last block
};

// Returns, after every block, whether to stop and why. Calls `all_converged` only at looks.
template <class AllConverged>
std::optional<StoppedBy> stop_after_block(const Sampling& sampling, const Progress& progress,
                                          AllConverged&& all_converged) {
  const auto n = progress.fewest_samples;
  const auto least = static_cast<std::size_t>(sampling.min_samples);
  const auto every = static_cast<std::size_t>(sampling.look_every);
  if (n >= least && (n - least) % every == 0 && all_converged()) {
    return StoppedBy::kConverged;
  }
  if (n >= static_cast<std::size_t>(sampling.max_samples)) {
    return StoppedBy::kMaxSamples;
  }
  if (n > 0 && progress.elapsed_seconds + progress.block_seconds > sampling.budget_seconds) {
    return StoppedBy::kBudget;
  }
  return std::nullopt;
}

}  // namespace streamgage
