// In which shapes the vector kernels of a plan are measured, next to the default one.
#pragma once

#include <functional>
#include <vector>

#include "base/plan.hpp"
#include "measure/setup.hpp"
#include "measure/tuning/tuner.hpp"
#include "measure/workload.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {

// Called with every decision as it is made; false ends the choosing.
using TuningObserver = std::function<bool(const Tuning&)>;

// Decides for every vector kernel and kind of store of the plan: as given by hand, as known from
// an earlier run, or by a race; where arrays fit in the caches, by none of them, because a race
// there says nothing about memory. Nothing is raced for evidence alone. Adds the tuned variants and
// those with forced reads to the decision, leaves one variant of each kernel that is evidence, and
// leaves the arrays as they were. False where it was stopped.
bool choose_shapes(const Plan& plan, const Team& team, Workload& workload, Decision& decision,
                   const std::function<bool()>& stopped, const TuningObserver& observe);

}  // namespace streamgage::engine
