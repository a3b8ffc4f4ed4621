// The kinds of cores by the kernel's files.
#pragma once

#include <map>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Kinds of cores on a hybrid processor, the most efficient first; empty where all cores are the
// same or the kernel does not report them. By the performance counters of each kind (Intel), else
// by the design of every CPU (Arm), else by their capacity.
std::vector<CoreKind> read_core_kinds(const FileRoots& roots, const CpuList& online);

// Kinds by how fast CPUs are, in any unit: a new kind begins where one is a tenth above the next
// slower; cores of one design differ less.
std::vector<CoreKind> kinds_by_speed(const std::map<int, double>& speed_of);

}  // namespace streamgage
