#include "measure/tuning/pairs.hpp"

#include <algorithm>
#include <vector>

#include "streamgage/clock/clock.hpp"
#include "streamgage/statistics/summary.hpp"

namespace streamgage::engine {
namespace {

// A gain that is not certain to be at least this is not worth a shape of its own.
constexpr double kLeastRatio = 1.005;
constexpr std::size_t kFewestPairs = 11;
constexpr std::size_t kMostPairs = 41;
constexpr double kConfidence = 0.95;

}  // namespace

bool Pairs::confirm() const { return low && *low > kLeastRatio; }

std::optional<Pairs> time_pairs(double budget_seconds, std::mt19937_64& random,
                                const std::function<std::optional<double>(Side)>& time) {
  std::vector<double> ratios;
  const Instant start = now();
  while (ratios.size() < kMostPairs &&
         (ratios.size() < kFewestPairs || seconds_between(start, now()) < budget_seconds)) {
    const bool default_first = random() % 2 == 0;
    const auto first = time(default_first ? Side::kDefault : Side::kFastest);
    const auto second = time(default_first ? Side::kFastest : Side::kDefault);
    if (!first || !second) {
      return std::nullopt;
    }
    ratios.push_back(default_first ? *first / *second : *second / *first);
  }
  std::sort(ratios.begin(), ratios.end());
  Pairs pairs;
  pairs.count = ratios.size();
  pairs.ratio = median_of_sorted(ratios);
  if (const auto interval = median_interval_of_sorted(ratios, kConfidence)) {
    pairs.low = interval->low;
    pairs.high = interval->high;
  }
  return pairs;
}

}  // namespace streamgage::engine
