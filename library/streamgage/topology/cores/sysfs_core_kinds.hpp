// The kinds of cores by the kernel's files.
#pragma once

#include <map>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns the kinds of cores of a hybrid processor, the most efficient first. They are found by
// the performance counters of each kind (Intel), else by the design of every CPU (Arm), else by
// their capacity. Empty if all cores are the same, or if the kernel does not report them.
std::vector<CoreKind> read_core_kinds(const FileRoots& roots, const CpuList& online);

// Returns kinds by the speed of CPUs, in any unit. A new kind begins where a CPU is a tenth faster
// than the next slower one, because cores of one design differ less.
std::vector<CoreKind> kinds_by_speed(const std::map<int, double>& speed_of);

}  // namespace streamgage
