// Caches, grouped by what they have in common.
#pragma once

#include <string_view>
#include <vector>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

inline constexpr std::string_view kDataCache = "data";
inline constexpr std::string_view kInstructionCache = "instruction";
inline constexpr std::string_view kUnifiedCache = "unified";

// Groups of caches with the same level, kind, size and line, by level, then data or unified before
// instruction, then the larger first; the instances of each in the order given.
std::vector<Cache> group_caches(const std::vector<Cache>& instances);

// The same of memory-side caches, by their first node.
std::vector<MemorySideCache> group_memory_side_caches(
    const std::vector<MemorySideCache>& instances);

}  // namespace streamgage
