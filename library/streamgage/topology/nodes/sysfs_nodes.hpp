// NUMA nodes by the kernel's files, /sys/devices/system/node.
#pragma once

#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"
#include "streamgage/topology/nodes/nearest_memory.hpp"

namespace streamgage {

struct SysfsNodes {
  std::vector<NumaNode> nodes;  // by OS number, at least one
  NodeDistances distances;
};

// Reads the nodes. An online CPU belongs to the node at which the kernel lists it, or to the only
// node; if the kernel lists it at none of several, it belongs to none. Further memory next to the
// CPUs (HBM, CXL) is a node without CPUs. A kernel without NUMA has one node with all memory.
SysfsNodes read_numa_nodes(const FileRoots& roots, const CpuList& online);

// Reads how much of each node's memory is free now, without and with the file cache, which makes
// room. Nothing if the kernel does not report it.
void read_free_memory(std::vector<NumaNode>& nodes, const FileRoots& roots);

// Returns the OS numbers of the nodes, in their order.
CpuList node_numbers(const std::vector<NumaNode>& nodes);

}  // namespace streamgage
