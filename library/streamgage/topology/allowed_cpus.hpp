// Which CPUs this process may use.
#pragma once

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/sources/topology.hpp"

namespace streamgage {

// The affinity mask of the calling thread, as the kernel reports it; any number of CPUs.
Result<CpuList> affinity_mask();

// The CPUs of the topology that may be used, ascending: those of the affinity mask where it is this
// system (the mask before OpenMP narrowed it, where OpenMP binds), otherwise what the topology
// itself allows. An error where none is left.
Result<CpuList> find_allowed_cpus(const Topology& topology);

}  // namespace streamgage
