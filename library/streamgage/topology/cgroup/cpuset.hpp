// The CPUs to which the control groups above this process hold it.
#pragma once

#include <optional>

#include "streamgage/topology/fact.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// What is in force for the own group: of the nearest group up that reports it, in either version,
// because one hierarchy alone can have the controller. Nothing where no group does. Source: the
// kernel's cgroup-v2.rst (cpuset.cpus.effective) and cgroup-v1/cpusets.rst (cpuset.effective_cpus).
Fact<std::optional<CpuSet>> find_cgroup_cpus(const FileRoots& roots = {});

}  // namespace streamgage
