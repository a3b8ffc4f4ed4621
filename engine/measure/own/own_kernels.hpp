// Prepares the users' kernels before the first sample: sizes, records, checks.
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

// Checks each own kernel and writes the record of the check. A kernel that fails, or that could not
// be loaded, is reported, removed from the decision and the workload, and added to `failures`. Ends
// the run if nothing is left to measure.
Step check_own_kernels(const Machine& machine, const Plan& plan, const Team& team,
                       Decision& decision, Workload& workload, RecordSink& records,
                       std::vector<KernelFailure>& failures);

}  // namespace streamgage::engine
