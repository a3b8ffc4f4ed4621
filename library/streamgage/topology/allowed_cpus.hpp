// Finds the CPUs that this process may use.
#pragma once

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/sources/topology.hpp"

namespace streamgage {

// Returns the affinity mask of the calling thread, as the kernel reports it, for any number of
// CPUs. Where a filter of system calls refuses sched_getaffinity, /proc has it.
Result<CpuList> affinity_mask();

// Returns whether the kernel answers sched_getaffinity. Where it does not, hwloc asks for ever.
bool kernel_reports_affinity();

// Returns the CPUs of the topology that may be used, ascending. On this system these are the CPUs
// of the affinity mask, before OpenMP narrowed it; otherwise those that the topology allows. It is
// an error if none is left.
Result<CpuList> find_allowed_cpus(const Topology& topology);

}  // namespace streamgage
