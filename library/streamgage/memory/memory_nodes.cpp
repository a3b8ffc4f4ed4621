#include "streamgage/memory/memory_nodes.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace streamgage {
namespace {

bool contains(const CpuList& list, int number) {
  return std::find(list.begin(), list.end(), number) != list.end();
}

// A size that is not known is of a node that is taken to have memory.
bool has_memory(const NumaNode& node) { return node.bytes.value_or(1) > 0; }

CpuList usable_nodes(const Machine& machine) {
  CpuList usable;
  for (const NumaNode& node : machine.numa_nodes) {
    if (has_memory(node) && contains(machine.allowed_nodes, node.os_index)) {
      usable.push_back(node.os_index);
    }
  }
  return usable;
}

const NumaNode* find_node(const Machine& machine, int number) {
  const auto node =
      std::find_if(machine.numa_nodes.begin(), machine.numa_nodes.end(),
                   [number](const NumaNode& each) { return each.os_index == number; });
  return node == machine.numa_nodes.end() ? nullptr : &*node;
}

}  // namespace

Result<CpuList> choose_memory_nodes(const Machine& machine, const CpuList& requested) {
  const std::set<int> numbers(requested.begin(), requested.end());
  const CpuList usable = usable_nodes(machine);
  for (const int number : numbers) {
    if (contains(usable, number)) {
      continue;
    }
    const NumaNode* node = find_node(machine, number);
    const char* why = node == nullptr      ? "there is no such node"
                      : !has_memory(*node) ? "it has none"
                                           : "this process may not use it";
    return usage_error(
        fmt::format("memory of NUMA node {} is not available, because {}; there is "
                    "memory for this process on {}",
                    number, why, usable.empty() ? "no node" : name_nodes(usable)));
  }
  return CpuList(numbers.begin(), numbers.end());
}

MemoryBudget memory_budget(const Machine& machine, const CpuList& nodes) {
  MemoryBudget budget{machine.memory_available_bytes.value_or(0), machine.memory_limit_free_bytes};
  const bool are_all = std::all_of(
      machine.numa_nodes.begin(), machine.numa_nodes.end(),
      [&](const NumaNode& node) { return !has_memory(node) || contains(nodes, node.os_index); });
  if (nodes.empty() || are_all) {
    return budget;
  }
  std::uint64_t bytes = 0;
  for (const int number : nodes) {
    const NumaNode* node = find_node(machine, number);
    if (node == nullptr || !node->available_bytes) {
      return budget;  // unknown what it has
    }
    bytes += *node->available_bytes;
  }
  budget.nodes_free_bytes = bytes;
  budget.nodes = nodes;
  return budget;
}

}  // namespace streamgage
