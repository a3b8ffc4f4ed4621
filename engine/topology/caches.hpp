// Caches, grouped by what is alike about them.
#pragma once

#include <vector>

#include "topology/hwloc_topology.hpp"
#include "topology/machine.hpp"

namespace streamgage {

// Groups of caches with the same level, kind, size and line, by level, then data or unified before
// instruction, then the larger first; the instances of each in logical order.
std::vector<Cache> find_caches(const HwlocTopology& topology);

}  // namespace streamgage
