// A run by a latency plan: the latency of each level, and of memory that other threads load.
#pragma once

#include <optional>
#include <string>

#include "base/json_lines.hpp"
#include "base/latency_plan.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

struct LatencyOutcome {
  int exit_status = 0;
  std::optional<std::string> message;  // one sentence, where something failed
};

// Records: machine, latency-plan, placement; in each round, in random order, "latency" of every
// working set and "loaded" of every mix at every pace; disturbances, and end. An error before the
// first record is returned; what happens later is in the outcome.
Result<LatencyOutcome> run_latency_session(const Machine& machine, const LatencyPlan& plan,
                                           RecordSink& sink);

}  // namespace streamgage::engine
