// How much memory there is to take, and which limit is the strictest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "streamgage/base/cpu_list.hpp"

namespace streamgage {

// What memory there is, and who says so.
struct MemoryBudget {
  std::uint64_t available_bytes = 0;                   // the machine's available memory
  std::optional<std::uint64_t> limit_free_bytes;       // left under the cgroup's limit
  std::optional<std::uint64_t> nodes_free_bytes = {};  // on the nodes that memory is bound to
  CpuList nodes = {};                                  // their numbers
};

// Memory to take, and what sets the limit.
struct FreeMemory {
  std::uint64_t bytes = 0;
  std::string_view limited_by;  // "available", "cgroup" or "nodes"
  std::string where;            // to follow "are free": empty, or " on node 1"
};

// The memory that the strictest limit leaves; of equal limits the machine's goes first.
FreeMemory free_memory(const MemoryBudget& budget);

// "node 1", "nodes 0-1,3".
std::string name_nodes(const CpuList& nodes);

}  // namespace streamgage
