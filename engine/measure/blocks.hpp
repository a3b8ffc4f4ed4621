// The blocks of a run: every variant once, in random order, again and again until it is enough.
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
  int block = 0;  // number of the one that runs, or of the last
  int timed = 0;  // blocks with a timed sample of every variant
  std::optional<StoppedBy> stopped_by;
};

// What is done by whoever measures: one process, or ranks. Each may end the run.
struct BlockSteps {
  std::function<Step(Course&)> measure_sample;
  std::function<Step()> after_block;
  // Allocates the arrays again and touches them.
  std::function<Step()> renew_arrays;
  std::function<double()> touch_seconds;  // that the last touch took
  std::function<Instant()> clock = now;   // tests have one that stands still
};

// Measures blocks until the stopping rule, the budget or a step ends them. `so_far` is kept up to
// date for the steps.
Step measure_blocks(const Sampling& sampling, std::uint64_t seed, std::vector<Course>& courses,
                    const BlockSteps& steps, BlocksSoFar& so_far);

}  // namespace streamgage::engine
