// The CPU that each thread runs on.
#pragma once

#include <optional>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/placement/placement_request.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Threads and their CPUs.
struct Placement {
  PlacementKind kind = PlacementKind::kCores;
  int threads = 0;  // asked for; the runtime may give fewer
  CpuList cpus;     // one a thread, in thread order; empty with kNone
};

// Places threads. kCores without a number: one thread on each physical core that the process may
// use. With a number: spread evenly over packages and NUMA domains, and within a domain over its
// last-level caches; second hardware threads are only used when every core has a thread. kCpus: the
// list, or its first `threads` entries; or the CPUs of the expression, whose number must match.
// kNone: `runtime_threads` threads if no number is given. Returns an error that names the available
// CPUs for a CPU that the process may not use, for one that is listed twice without permission, and
// for more threads than CPUs.
Result<Placement> choose_placement(const Machine& machine, const PlacementRequest& request,
                                   int runtime_threads);

// Returns the hardware thread with that OS number, or nullptr if the process may not use it.
const HardwareThread* find_hardware_thread(const Machine& machine, int cpu);

}  // namespace streamgage
