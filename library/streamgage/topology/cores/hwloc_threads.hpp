// Packages, dies, cores and the hardware threads of each core by hwloc.
#pragma once

#include <vector>

#include "streamgage/topology/hwloc/hwloc_topology.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Every hardware thread of the machine, also those that this process may not use, in compact order;
// the node is left to the caller. A CPU for which hwloc knows no core is a core of its own.
std::vector<HardwareThread> find_hardware_threads(const HwlocTopology& topology);

// The number of packages, at least 1: some machines report none.
int count_packages(const HwlocTopology& topology);

}  // namespace streamgage
