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

// Chooses the shapes of vector kernels if the plan asks for it, measures blocks of all variants in
// random order until the stopping rule, the budget or a signal ends it, then checks every variant
// element by element. The error is for a plan that cannot be met, or threads or memory that are not
// available; nothing was measured then and no record written. Whatever goes wrong later is in the
// outcome, and in the "end" record. With `counters`, what was found of them is recorded, and
// traffic counted where a source is accepted.
Result<Outcome> run_session(const Machine& machine, const Plan& plan, RecordSink& sink,
                            std::optional<CountersFound> counters = std::nullopt);

}  // namespace streamgage::engine
