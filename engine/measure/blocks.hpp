// The blocks of a run: variants once each, in random order, again and again until it is enough.
//
// Tiers come one after the other: what is read first is settled before the rest is begun, and every
// second block of a later tier repeats the earlier ones, so that all are compared within blocks and
// a drift is seen. Of a tier for which there is no time, only as many variants are taken as there
// is time for: a figure that nobody can rely on helps nobody.
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

// How far a run has come.
struct BlocksSoFar {
  int block = -1;  // number of the one that runs, or of the last; -1: none
  int timed = 0;   // blocks with a timed sample of every variant of the first tier
  std::optional<StoppedBy> stopped_by = std::nullopt;
};

// What is done by whoever measures: one process, or ranks. Each may end the run.
struct BlockSteps {
  std::function<Step(Course&)> measure_sample;
  std::function<Step()> after_block;
  // Allocates the arrays again and touches them: those that what is taken so far needs.
  std::function<Step()> renew_arrays;
  std::function<double()> touch_seconds;  // that the last touch took
  // Before the variants of a tier are chosen, to which it may add some.
  std::function<Step(int tier, double seconds_left)> before_tier = nullptr;
  // Whether what is taken up to a tier needs arrays that there are none of yet.
  std::function<bool(int tier)> lacks_arrays = nullptr;
  std::function<Step(int tier)> after_tier = nullptr;
  std::function<Instant()> clock = &now;
};

struct BlockRequest {
  Sampling sampling;
  std::uint64_t seed = 0;
  int tiers = 1;
  // Since when the budget counts, where there are tiers: it then has to last for the check of the
  // results, too.
  Instant start = {};
};

// Measures blocks until the stopping rule, the budget or a step ends them. `so_far` is kept up to
// date for the steps.
Step measure_blocks(const BlockRequest& request, std::vector<Course>& courses,
                    const BlockSteps& steps, BlocksSoFar& so_far);

}  // namespace streamgage::engine
