// What the processor is called, and the kinds of its cores.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/hwloc_topology.hpp"
#include "topology/machine.hpp"

namespace streamgage {

// From hwloc, else from /proc/cpuinfo where the topology is this system's.
std::optional<std::string> find_processor_name(const HwlocTopology& topology,
                                               const FileRoots& roots);

// The name in the text of /proc/cpuinfo, in the words of each architecture.
std::optional<std::string> processor_name_in(std::string_view cpuinfo);

// Kinds of cores on a hybrid processor; empty where all cores are alike.
std::vector<CoreKind> find_core_kinds(const HwlocTopology& topology);

}  // namespace streamgage
