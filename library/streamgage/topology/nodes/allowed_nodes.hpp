// The NUMA nodes from which this process may take memory.
#pragma once

#include <optional>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns the nodes that the kernel reports (Mems_allowed_list in proc(5)), which may be more than
// exist. Nothing if it reports none.
std::optional<CpuList> find_allowed_nodes(const FileRoots& roots);

}  // namespace streamgage
