// Where the memory nearest to a CPU is.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

// For each node that has any, the CPUs next to its memory, whether they are at home there or not.
using AdjacentCpus = std::map<int, std::set<int>>;

// For each CPU, the OS number of the nearest node with memory: its own; where that has none, the
// one at the least distance, and of equals one next to the CPU, e.g. HBM alone.
std::map<int, int> nearest_memory(const std::vector<NumaNode>& nodes,
                                  const NodeDistances& distances, const AdjacentCpus& adjacent);

// Gives each hardware thread its node; nothing where none is known.
void set_nearest_nodes(std::vector<HardwareThread>& threads, const std::map<int, int>& nearest);

}  // namespace streamgage
