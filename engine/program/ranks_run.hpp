// The engine as one of the ranks of an MPI job.
#pragma once

#include "program/options.hpp"

namespace streamgage::engine {

// Measures by the plan with all ranks; rank 0 prints the records. Returns the exit status, which is
// not 0 if this rank has reported a failure.
int run_as_rank(const Options& options);

}  // namespace streamgage::engine
