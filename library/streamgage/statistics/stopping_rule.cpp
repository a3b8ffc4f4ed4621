#include "streamgage/statistics/stopping_rule.hpp"

#include <algorithm>
#include <cmath>

#include "streamgage/statistics/summary.hpp"

namespace streamgage {
namespace {

constexpr double kHalfWidth = 0.01;
constexpr double kBestGain = 0.003;
// The medians of that many stretches bound the median of all samples, with 99 % confidence.
constexpr std::size_t kStretches = 8;
// Shorter stretches say how much a stretch depends on the one before.
constexpr std::size_t kSamplesOfShort = 3;
constexpr std::size_t kMostShort = 24;
constexpr double kFewestIndependent = 5.0;
constexpr double kMostCorrelation = 0.98;

std::vector<double> medians_of_stretches(const std::vector<double>& seconds, std::size_t count) {
  std::vector<double> medians;
  for (std::size_t number = 0; number < count; ++number) {
    const auto first = static_cast<std::ptrdiff_t>(seconds.size() * number / count);
    const auto last = static_cast<std::ptrdiff_t>(seconds.size() * (number + 1) / count);
    medians.push_back(median(std::vector<double>(seconds.begin() + first, seconds.begin() + last)));
  }
  return medians;
}

// Returns the correlation of a value's rank with that of the next one; 0 if all are equal. What a
// short series shows is too low, by about (1 + 4 r) / n (Marriott and Pope, Biometrika 41, 1954).
double correlation_of_neighbours(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  double squares = 0.0;
  double products = 0.0;
  double before = 0.0;
  for (const double value : values) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    const auto rank = static_cast<double>((first - sorted.begin()) + (last - sorted.begin())) / 2.0;
    const double apart = rank - n / 2.0;
    squares += apart * apart;
    products += apart * before;
    before = apart;
  }
  const double shown = squares > 0.0 ? products / squares : 0.0;
  return shown + (1.0 + 4.0 * shown) / n;
}

// Returns how many values that say as much `count` of them are, if neighbours correlate.
double independent_of(std::size_t count, double correlation) {
  const double r = std::clamp(correlation, 0.0, kMostCorrelation);
  return static_cast<double>(count) * (1.0 - r) / (1.0 + r);
}

// Returns how many times as far the median of all may lie from those of the stretches as it would
// if the stretches did not depend on each other: each has `length` short ones, and a short one
// correlates with the next.
double widening(std::size_t count_of_short, double correlation) {
  const double r = std::clamp(correlation, 0.0, kMostCorrelation);
  const double length = static_cast<double>(count_of_short) / kStretches;
  double inside = 1.0;
  double power = r;
  for (double distance = 1.0; distance < length; ++distance, power *= r) {
    inside += 2.0 * (1.0 - distance / length) * power;
  }
  const double of_all = 1.0 / independent_of(count_of_short, r);  // variances
  const double of_stretch = inside / length;
  const double seen = std::max(of_stretch - of_all, 1e-9) / (kStretches - 1);
  return std::max(1.0, std::sqrt(of_all / seen));
}

bool median_is_tight(const std::vector<double>& seconds) {
  const std::size_t shorts = std::min(seconds.size() / kSamplesOfShort, kMostShort);
  if (shorts < kStretches) {
    return false;
  }
  const double correlation = correlation_of_neighbours(medians_of_stretches(seconds, shorts));
  if (independent_of(shorts, correlation) < kFewestIndependent) {
    return false;
  }
  // The correlation may be more than it seems, by a standard error.
  const double most = correlation + 1.0 / std::sqrt(static_cast<double>(shorts));
  const std::vector<double> medians = medians_of_stretches(seconds, kStretches);
  const auto [low, high] = std::minmax_element(medians.begin(), medians.end());
  const double middle = median(seconds);
  const double half_width = std::max(middle - *low, *high - middle) * widening(shorts, most);
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
  return best_is_steady(seconds) && median_is_tight(seconds);
}

}  // namespace streamgage
