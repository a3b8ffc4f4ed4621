#include "streamgage/statistics/stopping_rule.hpp"

#include <algorithm>

#include "streamgage/statistics/summary.hpp"

namespace streamgage {
namespace {

constexpr double kConfidence = 0.99;
constexpr double kHalfWidth = 0.01;
constexpr double kBestGain = 0.003;

bool median_is_tight(const std::vector<double>& sorted) {
  const auto interval = median_interval_of_sorted(sorted, kConfidence);
  if (!interval) {
    return false;
  }
  const double middle = median_of_sorted(sorted);
  const double half_width = std::max(middle - interval->low, interval->high - middle);
  return half_width <= kHalfWidth * middle;
}

bool best_is_steady(const std::vector<double>& seconds) {
  const std::size_t last = std::max<std::size_t>(10, seconds.size() / 3);
  if (seconds.size() <= last) {
    return false;
  }
  const auto split = seconds.end() - static_cast<std::ptrdiff_t>(last);
  const double before = *std::min_element(seconds.begin(), split);
  const double after = *std::min_element(split, seconds.end());
  return before - after < kBestGain * before;
}

}  // namespace

std::string_view name_of(StoppedBy reason) {
  switch (reason) {
    case StoppedBy::kConverged:
      return "converged";
    case StoppedBy::kMaxSamples:
      return "max-samples";
    case StoppedBy::kBudget:
      break;
  }
  return "budget";
}

bool has_converged(const std::vector<double>& seconds) {
  if (seconds.empty() || !best_is_steady(seconds)) {
    return false;
  }
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  return median_is_tight(sorted);
}

}  // namespace streamgage
