// What a run does about the user's kernels before the first sample: sizes, records, checks.
#pragma once

#include <optional>
#include <vector>

#include "base/plan.hpp"
#include "kernels/variant.hpp"
#include "measure/ending.hpp"
#include "measure/setup.hpp"
#include "measure/workload.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/team/team.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// Reserves the arrays of all own kernels of the plan.
Result<void> add_own_kernels(const Plan& plan, const Decision& decision, Workload& workload);

// Checks each own kernel and writes the record of that. What fails, or could not be loaded, is
// reported and no longer a part of the decision nor the workload; `failures` gets it, too. Ends the
// run where nothing is left to measure.
Step check_own_kernels(const Machine& machine, const Plan& plan, const Team& team,
                       Decision& decision, Workload& workload, RecordSink& records,
                       std::vector<KernelFailure>& failures);

}  // namespace streamgage::engine
