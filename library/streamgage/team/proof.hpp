// Asks the kernel whether the threads of a team are where they were placed.
#pragma once

#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage {

// The place of a thread.
struct ThreadPlace {
  int cpu = -1;  // that it is on
  CpuList mask;  // that it may run on
};

// Returns the places of the threads now: bindings are lost if something else, such as a second team
// or another runtime, binds the same threads again.
std::vector<ThreadPlace> places_of(const Team& team);

// Returns the same as a proof: every thread may only run on the CPU of the placement, and is there.
// The error names the first thread for which this is false, or says that there are fewer threads
// than were placed.
Result<std::vector<ThreadPlace>> prove(const Team& team, const Placement& placement);

}  // namespace streamgage
