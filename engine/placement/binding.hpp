// Binding of the calling thread, and reading back where it may run.
#pragma once

#include "base/cpu_list.hpp"
#include "base/error.hpp"

namespace streamgage {

// Binds the calling thread to one CPU.
Result<void> bind_this_thread(int cpu);

// The CPUs that the calling thread may run on, ascending, as the kernel has them now.
Result<CpuList> mask_of_this_thread();

}  // namespace streamgage
