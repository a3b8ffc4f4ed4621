// The memory that is available, and the strictest limit on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "streamgage/base/cpu_list.hpp"

namespace streamgage {

// The available memory, and the source of that figure.
struct MemoryBudget {
  std::uint64_t available_bytes = 0;                   // the machine's available memory
  std::optional<std::uint64_t> limit_free_bytes;       // left under the cgroup's limit
  std::optional<std::uint64_t> nodes_free_bytes = {};  // on the nodes that memory is bound to
  CpuList nodes = {};                                  // their numbers
};

// The memory that may be used, and what limits it.
struct FreeMemory {
  std::uint64_t bytes = 0;
  std::string_view limited_by;  // "available", "cgroup" or "nodes"
  std::string where;            // to follow "are free": empty, or " on node 1"
};

// Returns the memory that the strictest limit leaves; of equal limits the machine's is named.
FreeMemory free_memory(const MemoryBudget& budget);

// Returns text such as "node 1" or "nodes 0-1,3".
std::string name_nodes(const CpuList& nodes);

}  // namespace streamgage
