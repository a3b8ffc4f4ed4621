// Packages, dies, cores and the hardware threads of each core by hwloc.
#pragma once

#include <vector>

#include "streamgage/topology/hwloc/hwloc_topology.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns every hardware thread of the machine, also those that this process may not use, in
// compact order. The caller sets their nodes. A CPU for which hwloc knows no core is a core of its
// own.
std::vector<HardwareThread> find_hardware_threads(const HwlocTopology& topology);

// Returns the number of packages. It is at least 1, because some machines report none.
int count_packages(const HwlocTopology& topology);

}  // namespace streamgage
