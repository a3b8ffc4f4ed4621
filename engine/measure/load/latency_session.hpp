// A run by a latency plan: the latency of each level, and of memory that other threads load.
#pragma once

#include "base/json_lines.hpp"
#include "base/latency_plan.hpp"
#include "measure/ending.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// Records: machine, latency-plan, placement; in each round, in random order, "latency" of every
// working set and "loaded" of every mix at every pace; disturbances, and end. An error before the
// first record is returned; what happens later is in the outcome.
Result<RunEnd> run_latency_session(const Machine& machine, const LatencyPlan& plan,
                                   RecordSink& sink);

}  // namespace streamgage::engine
