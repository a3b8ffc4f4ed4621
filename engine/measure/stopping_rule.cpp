#include "measure/stopping_rule.hpp"

#include <algorithm>
#include <cmath>

namespace streamgage {
namespace {

constexpr double kConfidence = 0.99;
constexpr double kHalfWidth = 0.01;
constexpr double kBestGain = 0.003;
constexpr double kWarmDifference = 0.02;
constexpr std::size_t kMostWarmups = 5;

double median(const std::vector<double>& sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
}

// log of the probability of k heads in n fair throws
double log_binomial_half(std::size_t n, std::size_t k) {
  const auto real_n = static_cast<double>(n);
  const auto real_k = static_cast<double>(k);
  return std::lgamma(real_n + 1) - std::lgamma(real_k + 1) - std::lgamma(real_n - real_k + 1) -
         real_n * std::log(2.0);
}

bool median_is_tight(const std::vector<double>& sorted) {
  const auto ranks = median_interval_ranks(sorted.size(), kConfidence);
  if (!ranks) {
    return false;
  }
  const double middle = median(sorted);
  const double half_width =
      std::max(middle - sorted[ranks->first - 1], sorted[ranks->second - 1] - middle);
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

bool has_converged(const std::vector<double>& seconds) {
  if (seconds.empty() || !best_is_steady(seconds)) {
    return false;
  }
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  return median_is_tight(sorted);
}

bool is_warm(const std::vector<double>& warmups, double seconds) {
  if (warmups.empty()) {
    return false;
  }
  const double before = warmups.back();
  return warmups.size() >= kMostWarmups ||
         std::abs(seconds - before) <= kWarmDifference * std::max(seconds, before);
}

}  // namespace streamgage
