// Binding of the calling thread; affinity_mask() of topology/allowed_cpus.hpp reads it back.
#pragma once

#include <optional>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage {

// Binds the calling thread to one CPU.
Result<void> bind_this_thread(int cpu);

// Lets the calling thread run on any of these CPUs; there must be one at least.
Result<void> bind_this_thread(const CpuList& cpus);

// Returns the CPUs that a thread gets if it asks for every one: those of the cpuset, whatever mask
// it inherited. A new thread asks, so the caller keeps its mask. Returns nothing if asking is
// forbidden.
std::optional<CpuList> obtainable_cpus();

}  // namespace streamgage
