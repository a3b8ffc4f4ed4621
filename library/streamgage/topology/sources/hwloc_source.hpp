// Reads the topology by hwloc: that of this machine, or the one that HWLOC_* variables request.
#pragma once

#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"
#include "streamgage/topology/sources/topology.hpp"

namespace streamgage {

Result<Topology> find_by_hwloc(const FileRoots& roots);

}  // namespace streamgage
