// The kinds of cores by hwloc.
#pragma once

#include <vector>

#include "streamgage/topology/hwloc/hwloc_topology.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Kinds of cores on a hybrid processor; empty where all cores are the same.
std::vector<CoreKind> find_core_kinds(const HwlocTopology& topology);

}  // namespace streamgage
