// Caches by the kernel's files, /sys/devices/system/cpu/cpu*/cache.
#pragma once

#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// One entry an instance, by its first CPU; empty where the kernel reports none. The levels and
// kinds are those that hwloc knows: 1 to 5, and 1 to 3 for instructions.
std::vector<Cache> read_caches(const FileRoots& roots, const CpuList& online);

// In groups, the caches in front of the memory of these nodes, by the kernel's files
// /sys/devices/system/node/node*/memory_side_cache.
std::vector<MemorySideCache> read_memory_side_caches(const FileRoots& roots, const CpuList& nodes);

}  // namespace streamgage
