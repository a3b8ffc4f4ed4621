// Finds caches by hwloc.
#pragma once

#include <vector>

#include "streamgage/topology/hwloc/hwloc_topology.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns the caches in groups (see group_caches), the instances of each in logical order.
std::vector<Cache> find_caches(const HwlocTopology& topology);

// Returns the caches in front of memory in the same way.
std::vector<MemorySideCache> find_memory_side_caches(const HwlocTopology& topology);

}  // namespace streamgage
