// Caches by the kernel's files, /sys/devices/system/cpu/cpu*/cache.
#pragma once

#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns one entry for each instance, sorted by its first CPU. Empty if the kernel reports none.
// The levels and kinds are those that hwloc knows: 1 to 5, and 1 to 3 for instructions.
std::vector<Cache> read_caches(const FileRoots& roots, const CpuList& online);

// Returns the caches in front of the memory of these nodes, in groups, by the kernel's files
// /sys/devices/system/node/node*/memory_side_cache.
std::vector<MemorySideCache> read_memory_side_caches(const FileRoots& roots, const CpuList& nodes);

}  // namespace streamgage
