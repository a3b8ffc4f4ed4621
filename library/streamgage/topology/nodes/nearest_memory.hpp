// Finds the memory nearest to each CPU.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

// The CPUs next to the memory of each node, even if they belong to another node.
using AdjacentCpus = std::map<int, std::set<int>>;

// Returns for each CPU the OS number of the nearest node with memory: its own or, if that has
// none, the one at the least distance. Of equally distant nodes it is one next to the CPU, such as
// HBM.
std::map<int, int> nearest_memory(const std::vector<NumaNode>& nodes,
                                  const NodeDistances& distances, const AdjacentCpus& adjacent);

// Sets the node of each hardware thread. Nothing if none is known.
void set_nearest_nodes(std::vector<HardwareThread>& threads, const std::map<int, int>& nearest);

}  // namespace streamgage
