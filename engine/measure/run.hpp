// The measuring loop, the same for threads and for MPI ranks: it records what is known before the
// first sample, and runs blocks of all variants, tier after tier, until the stopping rule, the
// budget or a signal ends them. Then it checks every result.
#pragma once

#include <cstdint>
#include <vector>

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "measure/blocks.hpp"
#include "measure/course.hpp"
#include "measure/ending.hpp"
#include "measure/outcome.hpp"
#include "measure/overdue_end.hpp"
#include "measure/setup.hpp"
#include "measure/workers.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// The state of a run while it lasts.
struct Run {
  const Machine& machine;
  const Plan& plan;
  Decision& decision;
  RecordSink& records;
  Instant start = now();

  std::vector<Course> courses = {};
  std::vector<KernelFailure> failures = {};  // of own kernels
  BlocksSoFar so_far = {};
  int epoch = 0;
  int next_id = 0;  // of a variant
  double first_touch_seconds = 0.0;
  Spent spent = {};
  Disturbance disturbance = {};  // of all blocks so far
  MeasuredTime measured = {};    // of all blocks so far
  OverdueEnd overdue{records};

  // Ends the run if a signal asks for it. Call it between two parts of the run.
  Step go_on();
  Result<void> write_sample(const Variant& variant, Role role, std::int64_t passes,
                            const Sample& sample, const PassTime& pass);
};

// Measures by the plan. An error is in the outcome, and in the record "end" if that can be written.
Outcome measure_run(Run& run, Workers& workers);

// Returns the number of arrays that the variants of the tiers up to this one need, and what is
// measured with them. Without tiers, all arrays. A variant for which a course shows that there is
// no time needs none.
int arrays_of_tier(const Plan& plan, const Decision& decision, int tier,
                   const std::vector<Course>& courses = {});

}  // namespace streamgage::engine
