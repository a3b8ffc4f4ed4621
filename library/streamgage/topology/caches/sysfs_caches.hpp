// Caches by the kernel's files, /sys/devices/system/cpu/cpu*/cache.
#pragma once

#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// One entry an instance, by its first CPU; empty where the kernel reports none. The levels and
// kinds are those that hwloc knows: 1 to 5, and 1 to 3 for instructions.
std::vector<Cache> read_caches(const FileRoots& roots, const CpuList& online);

}  // namespace streamgage
