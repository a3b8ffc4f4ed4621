// Whether the threads of a team are where they were placed, asked of the kernel.
#pragma once

#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage {

// Where a thread is.
struct ThreadPlace {
  int cpu = -1;  // that it is on
  CpuList mask;  // that it may run on
};

// By thread, as things are now: bindings are lost where something else, such as a second team or
// another runtime, binds the same threads again.
std::vector<ThreadPlace> places_of(const Team& team);

// The same as a proof: every thread may run on the CPU of the placement alone, and is there. The
// error names the first one that is not, or says that there are fewer threads than were placed.
Result<std::vector<ThreadPlace>> prove(const Team& team, const Placement& placement);

}  // namespace streamgage
