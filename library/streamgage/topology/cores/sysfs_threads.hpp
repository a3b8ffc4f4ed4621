// Packages, dies, cores and the hardware threads of each core by the kernel's files, numbered as
// hwloc numbers them.
#pragma once

#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

struct SysfsThreads {
  int packages = 1;
  bool packages_known = false;  // whether the kernel reports them, and cores
  bool cores_known = false;
  std::vector<HardwareThread> threads;  // compact order; the node is left to the caller
};

// Reads every CPU that is online. `groups` are sets of CPUs that share something else, a cache or a
// node: compact order keeps those together. A CPU without a reported core is a core of its own.
SysfsThreads read_hardware_threads(const FileRoots& roots, const CpuList& online,
                                   const std::vector<CpuList>& groups);

}  // namespace streamgage
