// How large the chain of a latency measurement is: large enough that it is memory that answers.
#pragma once

#include <cstdint>

#include "streamgage/base/error.hpp"
#include "streamgage/memory/memory_budget.hpp"

namespace streamgage::engine {

// Four times the last-level cache of the CPU that walks, from 64 MiB to 1 GiB, of whole huge pages,
// and at most a quarter of the free memory; 1 GiB where the cache is not known (0). An error where
// the memory allows less than 64 MiB or twice the cache.
Result<std::uint64_t> choose_chain_bytes(std::uint64_t last_level_cache_bytes,
                                         const MemoryBudget& budget);

}  // namespace streamgage::engine
