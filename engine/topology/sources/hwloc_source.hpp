// The topology by hwloc: this machine's, or the one that HWLOC_* variables ask for.
#pragma once

#include "base/error.hpp"
#include "topology/machine.hpp"
#include "topology/sources/topology.hpp"

namespace streamgage {

Result<Topology> find_by_hwloc(const FileRoots& roots);

}  // namespace streamgage
