// The size of the chain for a latency measurement: large enough that memory answers, not a cache.
#pragma once

#include <cstdint>

#include "streamgage/base/error.hpp"
#include "streamgage/memory/memory_budget.hpp"

namespace streamgage::engine {

// Returns four times the last-level cache of the CPU that walks, from 64 MiB to 1 GiB, in whole
// huge pages and at most a quarter of the free memory; 1 GiB if the size of the cache is unknown
// (0). It is an error if the free memory allows less than 64 MiB or than twice the cache.
Result<std::uint64_t> choose_chain_bytes(std::uint64_t last_level_cache_bytes,
                                         const MemoryBudget& budget);

}  // namespace streamgage::engine
