// Checks the NUMA nodes that a plan takes memory from, and finds how much they can give.
#pragma once

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/memory_budget.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns the requested nodes, ascending and each once. For a node that does not exist, has no
// memory or is barred to this process, the error names the available ones.
Result<CpuList> choose_memory_nodes(const Machine& machine, const CpuList& requested);

// Returns the memory that these nodes may give; without nodes, that of any. A bound page that its
// nodes cannot hold ends the process (the kernel kills it), so their memory is a limit too. If
// memory is bound to all nodes, only the machine's limit counts, which may grow with its use
// (guests).
MemoryBudget memory_budget(const Machine& machine, const CpuList& nodes);

}  // namespace streamgage
