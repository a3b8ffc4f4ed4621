// The topology by hwloc: this machine's, or the one that HWLOC_* variables ask for.
#pragma once

#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"
#include "streamgage/topology/sources/topology.hpp"

namespace streamgage {

Result<Topology> find_by_hwloc(const FileRoots& roots);

}  // namespace streamgage
