// Tests whether the winner of a race is really faster: it is timed again, in pairs with the
// default shape. The fastest of many candidates was also lucky, so the times of the race prove
// nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <random>

namespace streamgage::engine {

struct Pairs {
  std::size_t count = 0;
  // The speedup of the fastest shape over the default one: the median of the pairs, and its 95 %
  // interval.
  std::optional<double> ratio;
  std::optional<double> low;
  std::optional<double> high;

  // Returns whether the gain is certainly large enough to use another shape than the default one.
  [[nodiscard]] bool confirm() const;
};

enum class Side { kDefault, kFastest };

// Times pairs, each in random order, for about that many seconds. `time` returns the seconds of one
// run, or nothing to end; then nothing is returned.
std::optional<Pairs> time_pairs(double budget_seconds, std::mt19937_64& random,
                                const std::function<std::optional<double>(Side)>& time);

}  // namespace streamgage::engine
