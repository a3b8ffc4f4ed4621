#include "streamgage/statistics/samples.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace streamgage {
namespace {

constexpr double kWarmDifference = 0.02;
constexpr std::size_t kMostWarmups = 5;
// Runs that are as long as this are themselves mostly run warm.
constexpr double kLongWarmups = 0.05;

}  // namespace

bool Samples::add(double seconds) {
  const bool counts = !timed_.empty() || is_warm(seconds);
  (counts ? timed_ : warmups_).push_back(seconds);
  return counts;
}

bool Samples::is_warm(double seconds) const {
  if (warmups_.empty()) {
    return false;
  }
  const double before = warmups_.back();
  return warmups_.size() >= kMostWarmups ||
         std::accumulate(warmups_.begin(), warmups_.end(), 0.0) >= kLongWarmups ||
         std::abs(seconds - before) <= kWarmDifference * std::max(seconds, before);
}

}  // namespace streamgage
