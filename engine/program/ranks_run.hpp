// The engine as one of the ranks of an MPI job.
#pragma once

#include "program/options.hpp"

namespace streamgage::engine {

// Measures by the plan with all ranks; rank 0 prints the records. The exit status, which is not 0
// where this rank has said what failed.
int run_as_rank(const Options& options);

}  // namespace streamgage::engine
