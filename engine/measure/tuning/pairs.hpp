// Whether the winner of a race is really faster: it is timed anew, in pairs with the default shape.
// The fastest of many candidates was also lucky, so the times of the race prove nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <random>

namespace streamgage::engine {

struct Pairs {
  std::size_t count = 0;
  // Seconds in the default shape over those in the fastest one: the median of the pairs, and its
  // 95 % interval.
  std::optional<double> ratio;
  std::optional<double> low;
  std::optional<double> high;

  // Whether the gain is certainly large enough for a shape of its own.
  [[nodiscard]] bool confirm() const;
};

enum class Side { kDefault, kFastest };

// Times pairs, each in random order, for about that many seconds. `time` returns the seconds of one
// run, or nothing to end; then nothing is returned.
std::optional<Pairs> time_pairs(double budget_seconds, std::mt19937_64& random,
                                const std::function<std::optional<double>(Side)>& time);

}  // namespace streamgage::engine
