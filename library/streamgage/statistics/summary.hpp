// Robust statistics of samples: the median, how well it is known, and how far samples scatter.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace streamgage {

// Returns the middle value, or the mean of the middle two; not a number if there are none.
double median(std::vector<double> values);

// Returns the median of values in ascending order.
double median_of_sorted(std::span<const double> sorted);

// Returns the value that a share of the values, 0 to 1, does not exceed, linear between neighbours
// (number 7 of Hyndman and Fan, "Sample quantiles in statistical packages", 1996); not a number if
// there are no values.
double quantile_of_sorted(std::span<const double> sorted, double share);

// Returns the median of the distances from the median; not a number if there are no values.
double median_absolute_deviation(const std::vector<double>& values);

// An interval with its ends, both included.
struct Interval {
  double low = 0.0;
  double high = 0.0;
};

// Returns the ranks (from 1) of the order statistics that enclose the median of n independent
// samples with at least that confidence (0 to 1), whatever their distribution; nothing if n is too
// small for it.
std::optional<std::pair<std::size_t, std::size_t>> median_interval_ranks(std::size_t n,
                                                                         double confidence);

// Returns the interval between these order statistics, for values in ascending order.
std::optional<Interval> median_interval_of_sorted(std::span<const double> sorted,
                                                  double confidence);

// A summary of samples, in their unit.
struct Summary {
  std::size_t count = 0;
  double median = 0.0;
  std::optional<Interval> interval;  // of the median; none where there are too few samples
  double deviation = 0.0;            // median absolute one
  double minimum = 0.0;
  double maximum = 0.0;
};

// Summarizes samples. Without values, every field is not a number (NaN).
Summary summarize(std::vector<double> values, double confidence = 0.95);

}  // namespace streamgage
