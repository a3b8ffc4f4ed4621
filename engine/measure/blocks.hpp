// The blocks of a run: each block runs every variant once, in random order, until there are enough
// samples.
//
// Tiers follow one another: a tier is finished before the next one begins. Every second block of a
// later tier repeats the earlier tiers, so that all are compared within blocks and a drift is seen.
// If the time does not suffice for all variants of a tier, only as many are taken as it suffices
// for, because a figure with too few samples helps nobody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/plan.hpp"
#include "measure/course.hpp"
#include "measure/ending.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/statistics/stopping_rule.hpp"

namespace streamgage::engine {

// The progress of a run.
struct BlocksSoFar {
  int block = -1;  // number of the one that runs, or of the last; -1: none
  int timed = 0;   // blocks with a timed sample of every variant of the first tier
  std::optional<StoppedBy> stopped_by = std::nullopt;
};

// The steps that the measuring side performs: one process, or ranks. Each may end the run.
struct BlockSteps {
  std::function<Step(Course&)> measure_sample;
  std::function<Step()> after_block;
  // Allocates and touches again the arrays that the variants taken so far need.
  std::function<Step()> renew_arrays;
  std::function<double()> touch_seconds;  // that the last touch took
  // Runs before the variants of a tier are chosen; it may add some to the tier.
  std::function<Step(int tier, double seconds_left)> before_tier = nullptr;
  // Returns whether the variants up to a tier need arrays that do not exist yet.
  std::function<bool(int tier)> lacks_arrays = nullptr;
  std::function<Step(int tier)> after_tier = nullptr;
  std::function<Instant()> clock = &now;
};

struct BlockRequest {
  Sampling sampling;
  std::uint64_t seed = 0;
  int tiers = 1;
  // The start of the budget, if there are tiers. The budget then includes the check of the results.
  Instant start = {};
};

// Measures blocks until the stopping rule, the budget or a step ends them. Keeps `so_far` up to
// date for the steps.
Step measure_blocks(const BlockRequest& request, std::vector<Course>& courses,
                    const BlockSteps& steps, BlocksSoFar& so_far);

}  // namespace streamgage::engine
