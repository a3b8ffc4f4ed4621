// Successive halving: many candidates are timed a little, the better half of them more, and so on.
//
// Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013: every
// stage gets an equal share of the budget. Within a stage all candidates are timed in rounds, in
// random order, and judged by the median of their times relative to the round's, so that a change
// of the machine's speed from round to round falls on all of them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <random>
#include <vector>

namespace streamgage::engine {

struct Race {
  // All candidates, best first. A candidate that got further stands before those that got less far.
  std::vector<std::size_t> standing;
  std::size_t samples = 0;

  [[nodiscard]] std::size_t winner() const { return standing.front(); }
};

// `time` runs one of `candidates` (at least 1) once and returns its seconds, or nothing to end the
// race. Every stage has at least one round, even where that exceeds the budget (in seconds of
// timed runs).
std::optional<Race> race(std::size_t candidates, double budget_seconds, std::mt19937_64& random,
                         const std::function<std::optional<double>(std::size_t)>& time);

}  // namespace streamgage::engine
