// The kinds of cores by the kernel's files.
#pragma once

#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Kinds of cores on a hybrid processor, the most efficient first; empty where all cores are the
// same or the kernel does not report them. By the performance counters of each kind (Intel), else
// by the capacity of every CPU (Arm, RISC-V).
std::vector<CoreKind> read_core_kinds(const FileRoots& roots, const CpuList& online);

}  // namespace streamgage
