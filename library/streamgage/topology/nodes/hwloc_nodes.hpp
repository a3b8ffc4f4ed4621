// NUMA nodes by hwloc: which CPUs are at home on each, and where the memory nearest to a CPU is.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "streamgage/topology/hwloc/hwloc_topology.hpp"
#include "streamgage/topology/machine.hpp"
#include "streamgage/topology/nodes/nearest_memory.hpp"

namespace streamgage {

// All nodes by OS number. Every CPU is at home on one node, as the kernel has it; memory next to it
// (HBM, CXL) is a node without CPUs. Sizes are absent where none is known. `files` are the kernel's
// of that machine, where there are any.
std::vector<NumaNode> find_numa_nodes(const HwlocTopology& topology,
                                      const std::optional<FileRoots>& files);

// The distances from node to node; empty if hwloc knows none.
NodeDistances find_node_distances(const HwlocTopology& topology);

// For each CPU, the OS number of the nearest node with memory: its own, or by the distance matrix
// where that has none. `nodes` is what find_numa_nodes gave.
std::map<int, int> nearest_memory(const HwlocTopology& topology,
                                  const std::vector<NumaNode>& nodes);

}  // namespace streamgage
