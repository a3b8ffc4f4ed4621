// Caches by hwloc.
#pragma once

#include <vector>

#include "streamgage/topology/hwloc/hwloc_topology.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// In groups (group_caches), the instances of each in logical order.
std::vector<Cache> find_caches(const HwlocTopology& topology);

}  // namespace streamgage
