#include "streamgage/statistics/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace streamgage {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// log of the probability of k heads in n fair throws
double log_binomial_half(std::size_t n, std::size_t k) {
  const auto real_n = static_cast<double>(n);
  const auto real_k = static_cast<double>(k);
  return std::lgamma(real_n + 1) - std::lgamma(real_k + 1) - std::lgamma(real_n - real_k + 1) -
         real_n * std::log(2.0);
}

}  // namespace

double median_of_sorted(std::span<const double> sorted) {
  if (sorted.empty()) {
    return kNone;
  }
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return median_of_sorted(values);
}

double quantile_of_sorted(std::span<const double> sorted, double share) {
  if (sorted.empty()) {
    return kNone;
  }
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - std::floor(place));
}

double median_absolute_deviation(const std::vector<double>& values) {
  const double middle = median(values);
  std::vector<double> distances = values;
  for (double& distance : distances) {
    distance = std::abs(distance - middle);
  }
  return median(std::move(distances));
}

std::optional<std::pair<std::size_t, std::size_t>> median_interval_ranks(std::size_t n,
                                                                         double confidence) {
  // The interval from rank r to rank n + 1 - r misses the median with probability
  // 2 * P(at most r - 1 of n samples lie below it); the largest such r is taken.
  double tail = 0.0;
  std::size_t rank = 0;
  for (std::size_t below = 0; 2 * below < n; ++below) {
    tail += 2.0 * std::exp(log_binomial_half(n, below));
    if (tail > 1.0 - confidence) {
      break;
    }
    rank = below + 1;
  }
  if (rank == 0) {
    return std::nullopt;
  }
  return std::pair{rank, n + 1 - rank};
}

std::optional<Interval> median_interval_of_sorted(std::span<const double> sorted,
                                                  double confidence) {
  const auto ranks = median_interval_ranks(sorted.size(), confidence);
  if (!ranks) {
    return std::nullopt;
  }
  return Interval{sorted[ranks->first - 1], sorted[ranks->second - 1]};
}

Summary summarize(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  Summary summary;
  summary.count = values.size();
  summary.median = median_of_sorted(values);
  summary.interval = median_interval_of_sorted(values, confidence);
  summary.deviation = median_absolute_deviation(values);
  summary.minimum = values.empty() ? kNone : values.front();
  summary.maximum = values.empty() ? kNone : values.back();
  return summary;
}

}  // namespace streamgage
