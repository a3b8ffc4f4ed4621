// The kinds of cores by hwloc.
#pragma once

#include <vector>

#include "streamgage/topology/hwloc/hwloc_topology.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns the kinds of cores of a hybrid processor. Empty if all cores are the same.
std::vector<CoreKind> find_core_kinds(const HwlocTopology& topology);

}  // namespace streamgage
