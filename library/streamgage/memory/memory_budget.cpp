#include "streamgage/memory/memory_budget.hpp"

#include <fmt/format.h>

namespace streamgage {

std::string name_nodes(const CpuList& nodes) {
  return fmt::format("{} {}", nodes.size() == 1 ? "node" : "nodes", format_cpu_list(nodes));
}

FreeMemory free_memory(const MemoryBudget& budget) {
  FreeMemory least{budget.available_bytes, "available", ""};
  if (budget.limit_free_bytes && *budget.limit_free_bytes < least.bytes) {
    least = {*budget.limit_free_bytes, "cgroup", " under the cgroup's limit"};
  }
  if (budget.nodes_free_bytes && *budget.nodes_free_bytes < least.bytes) {
    least = {*budget.nodes_free_bytes, "nodes", " on " + name_nodes(budget.nodes)};
  }
  return least;
}

}  // namespace streamgage
