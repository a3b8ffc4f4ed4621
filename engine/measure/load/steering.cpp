#include "measure/load/steering.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace streamgage::engine {
namespace {

// Of the most effort: the least that threads stream.
constexpr double kLeastEffort = 1e-4;
// A range narrower than this part of the effort holds no answer: what was seen before is no longer
// so. It is opened again by the other part.
constexpr double kNarrowest = 2e-3;
constexpr double kReopened = 0.1;
// A rate this far outside the rates at the ends of the range shows that they no longer hold.
constexpr double kOutside = 0.05;
// The next effort keeps this part of the range away from its ends.
constexpr double kInside = 0.1;
// After so many rates on the same side, the range is halved instead.
constexpr int kSameSide = 2;

}  // namespace

Steering::Steering(double target, double most_effort, double most_rate, double first_effort)
    : target_(target),
      most_(most_effort),
      effort_(std::clamp(first_effort, kLeastEffort * most_effort, most_effort)),
      above_{most_effort, std::max(most_rate, target)} {}

void Steering::saw(double rate) {
  settled_ = std::abs(rate - target_) <= kNear * target_;
  if (settled_) {
    return;
  }
  if (rate < target_ && effort_ >= most_) {  // no more than all can be had
    settled_ = true;
    return;
  }
  narrow(rate);
  const double width = above_.effort - below_.effort;
  double next = below_.effort + width / 2;
  const double rise = above_.rate - below_.rate;
  if (std::abs(same_side_) < kSameSide && rise > 0.0) {
    next = below_.effort + width * (target_ - below_.rate) / rise;
  }
  next = std::clamp(next, below_.effort + kInside * width, above_.effort - kInside * width);
  if (above_.effort >= most_ && most_ - next < kNarrowest * most_) {
    next = most_;
  }
  effort_ = std::clamp(next, kLeastEffort * most_, most_);
}

void Steering::narrow(double rate) {
  if (rate > (1.0 + kOutside) * above_.rate || rate < (1.0 - kOutside) * below_.rate) {
    below_ = {};
    above_ = {most_, std::max(rate, target_) * (1.0 + kReopened)};
  }
  const double step = kReopened * effort_;
  const double narrowest = kNarrowest * effort_;
  if (rate < target_) {
    same_side_ = std::min(same_side_, 0) - 1;
    below_ = {effort_, rate};
    if (above_.effort - effort_ < narrowest) {
      above_ = {std::min(effort_ + step, most_), target_ * (1.0 + kReopened)};
    }
  } else {
    same_side_ = std::max(same_side_, 0) + 1;
    above_ = {effort_, rate};
    if (effort_ - below_.effort < narrowest) {
      below_ = {std::max(effort_ - step, 0.0), target_ * (1.0 - kReopened)};
    }
  }
}

double duty_of(double effort, int place) { return std::clamp(effort - place, 0.0, 1.0); }

std::vector<int> places_over_nodes(const std::vector<int>& nodes) {
  std::map<int, int> threads;
  for (const int node : nodes) {
    ++threads[node];
  }
  std::map<int, int> seen;
  std::vector<double> turn;
  turn.reserve(nodes.size());
  for (const int node : nodes) {
    turn.push_back((seen[node]++ + 0.5) / threads[node]);
  }
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t one, std::size_t other) { return turn[one] < turn[other]; });
  std::vector<int> places(nodes.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    places[order[place]] = static_cast<int>(place);
  }
  return places;
}

}  // namespace streamgage::engine
