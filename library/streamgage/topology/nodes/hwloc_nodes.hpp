// Finds NUMA nodes by hwloc: the CPUs of each node, and the nearest memory of each CPU.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "streamgage/topology/hwloc/hwloc_topology.hpp"
#include "streamgage/topology/machine.hpp"
#include "streamgage/topology/nodes/nearest_memory.hpp"

namespace streamgage {

// Returns all nodes by OS number. Every CPU belongs to one node, as in the kernel; further memory
// next to it (HBM, CXL) is a node without CPUs. Unknown sizes are absent. `files` are the kernel's
// files of that machine, if there are any.
std::vector<NumaNode> find_numa_nodes(const HwlocTopology& topology,
                                      const std::optional<FileRoots>& files);

// Returns the distances from node to node. Empty if hwloc knows none.
NodeDistances find_node_distances(const HwlocTopology& topology);

// Returns for each CPU the OS number of the nearest node with memory: its own node or, if that has
// none, the nearest by the distance matrix. `nodes` is the result of find_numa_nodes.
std::map<int, int> nearest_memory(const HwlocTopology& topology,
                                  const std::vector<NumaNode>& nodes);

}  // namespace streamgage
