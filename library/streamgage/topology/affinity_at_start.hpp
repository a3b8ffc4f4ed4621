// The affinity mask that this process was started with. In main it is too late to ask: with
// OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY, GNU OpenMP binds the initial thread while it is
// loaded, and a machine of 96 CPUs would look like one of a single CPU.
#pragma once

#include <optional>

#include "streamgage/base/cpu_list.hpp"

namespace streamgage {

// Returns the mask, ascending. Nothing in shared libraries, and if the C library runs no code that
// early (musl).
std::optional<CpuList> affinity_mask_at_start();

// Keeps the mask. Only early_mask.cpp calls it, before the libraries are initialised.
void keep_mask_at_start();

}  // namespace streamgage
