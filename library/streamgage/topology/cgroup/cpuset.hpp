// The CPUs to which the control groups above this process hold it.
#pragma once

#include <optional>

#include "streamgage/topology/fact.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns the CPUs of the own group, as reported by the nearest group up, in either version,
// because only one hierarchy can have the controller. Nothing if no group reports them. Source:
// the kernel's cgroup-v2.rst (cpuset.cpus.effective) and cgroup-v1/cpusets.rst
// (cpuset.effective_cpus).
Fact<std::optional<CpuSet>> find_cgroup_cpus(const FileRoots& roots = {});

}  // namespace streamgage
