// Which CPU each thread is to run on.
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

// kCores without a number: one thread on each physical core that the process may use. With a
// number: spread evenly over packages and NUMA domains and within one over its last-level caches,
// and on second hardware threads only when every core has one. kCpus: the list, or its first
// `threads` entries; or what the expression stands for, which must be as many. kNone:
// `runtime_threads` threads where no number is given. A CPU that the process may not use, one that
// is listed twice where that was not permitted, and more threads than CPUs are errors that say
// which CPUs there are.
Result<Placement> choose_placement(const Machine& machine, const PlacementRequest& request,
                                   int runtime_threads);

// The hardware thread with that OS number, or nullptr where the process may not use it.
const HardwareThread* find_hardware_thread(const Machine& machine, int cpu);

}  // namespace streamgage
