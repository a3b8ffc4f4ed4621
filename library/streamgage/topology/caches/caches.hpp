// Groups caches by what they have in common.
#pragma once

#include <string_view>
#include <vector>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

inline constexpr std::string_view kDataCache = "data";
inline constexpr std::string_view kInstructionCache = "instruction";
inline constexpr std::string_view kUnifiedCache = "unified";

// Groups caches of the same level, kind, size and line. The groups are sorted by level, then data
// or unified before instruction, then larger ones first. The instances keep their order.
std::vector<Cache> group_caches(const std::vector<Cache>& instances);

// Groups memory-side caches in the same way, sorted by their first node.
std::vector<MemorySideCache> group_memory_side_caches(
    const std::vector<MemorySideCache>& instances);

}  // namespace streamgage
