// Binding of the calling thread; affinity_mask() of topology/allowed_cpus.hpp reads it back.
#pragma once

#include "base/cpu_list.hpp"
#include "base/error.hpp"

namespace streamgage {

// Binds the calling thread to one CPU.
Result<void> bind_this_thread(int cpu);

}  // namespace streamgage
