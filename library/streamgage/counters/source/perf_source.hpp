// Traffic by the memory controllers' own PMUs.
#pragma once

#include <optional>

#include "streamgage/counters/controllers/controller_plan.hpp"
#include "streamgage/counters/source/counter_opener.hpp"
#include "streamgage/counters/source/traffic_source.hpp"

namespace streamgage {

// Returns why a plan lacks some of this machine's controllers. Nothing if it is complete.
std::optional<Unavailable> missing_controllers(const ControllerPlan& plan);

// Opens every counter of the plan, or none: with one controller left out the rest would look like
// the traffic of the whole package. The plan must have a row.
OpenedSource open_perf_source(const ControllerPlan& plan, CounterOpener& opener,
                              std::optional<int> paranoid_level);

}  // namespace streamgage
