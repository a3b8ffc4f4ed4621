// The NUMA nodes that a plan takes memory from: whether they can give any, and how much.
#pragma once

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/memory_budget.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// The nodes asked for, ascending and each once. The error, for one that does not exist, has no
// memory or is barred to this process, names those that are available.
Result<CpuList> choose_memory_nodes(const Machine& machine, const CpuList& asked);

// What memory bound to these nodes may take; without nodes, what any memory may. A bound page that
// its nodes cannot hold ends the process (the kernel kills it), so what they have is a limit too.
// Bound to all nodes, memory is limited by the machine's alone, which may grow with its use
// (guests).
MemoryBudget memory_budget(const Machine& machine, const CpuList& nodes);

}  // namespace streamgage
