// Caches by hwloc.
#pragma once

#include <vector>

#include "streamgage/topology/hwloc/hwloc_topology.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// The caches in groups (group_caches), the instances of each in logical order.
std::vector<Cache> find_caches(const HwlocTopology& topology);

// The same of the caches in front of memory.
std::vector<MemorySideCache> find_memory_side_caches(const HwlocTopology& topology);

}  // namespace streamgage
