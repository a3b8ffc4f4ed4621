// One run of the engine: from a plan to its records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "kernels/variant.hpp"
#include "measure/outcome.hpp"
#include "measure/traffic/counting.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// Chooses the shapes of vector kernels if the plan asks for it. Then measures blocks of all
// variants in random order until the stopping rule, the budget or a signal ends it, and checks
// every variant element by element. It is an error if the plan cannot be met, or if threads or
// memory are not available: nothing was measured then, and no record was written. A later failure
// is in the outcome and in the "end" record. With `counters`, records what was found of them, and
// counts traffic if a source is accepted.
Result<Outcome> run_session(const Machine& machine, const Plan& plan, RecordSink& sink,
                            std::optional<CountersFound> counters = std::nullopt);

}  // namespace streamgage::engine
