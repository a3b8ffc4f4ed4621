// What kind of memory NUMA nodes have, where the system says so for certain. HBM of Xeon Max and
// CXL memory are both nodes without CPUs, and nothing distinguishes them: they have no name.
#pragma once

#include <string_view>
#include <vector>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

inline constexpr std::string_view kMcdram = "MCDRAM";
inline constexpr std::string_view kGpuMemory = "GPU memory";

// Names the MCDRAM of a Xeon Phi in flat mode, whose nodes have no CPUs, and the memory of GPUs
// that NVIDIA's driver has made a node.
void name_memory_kinds(std::vector<NumaNode>& nodes, const FileRoots& roots);

}  // namespace streamgage
