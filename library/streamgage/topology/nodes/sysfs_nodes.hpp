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

// An online CPU is at home on one node, on the only one where there is one, and on none where the
// kernel lists it at none of several; memory next to the CPUs (HBM, CXL) is a node without CPUs. A
// kernel without NUMA has one node with all memory.
SysfsNodes read_numa_nodes(const FileRoots& roots, const CpuList& online);

// How much of each node's memory is free now, and with the file cache that would give way, by the
// kernel's word; nothing where it reports none.
void read_free_memory(std::vector<NumaNode>& nodes, const FileRoots& roots);

// OS numbers of the nodes, in their order.
CpuList node_numbers(const std::vector<NumaNode>& nodes);

}  // namespace streamgage
