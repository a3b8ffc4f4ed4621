// How large the arrays are: STREAM's rule, the memory that there is, and what was asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "streamgage/base/error.hpp"
#include "streamgage/memory/memory_budget.hpp"

namespace streamgage {

// What the size is to be for.
struct SizeRequest {
  std::uint64_t last_level_cache_bytes = 0;  // of all threads together
  std::size_t element_bytes = 8;
  int arrays = 3;
  int threads = 1;
  std::optional<std::uint64_t> asked_bytes;  // of each array
};

// The size, and what limits it.
struct ArraySize {
  std::uint64_t bytes = 0;  // of each array
  std::int64_t elements = 0;
  std::uint64_t rule_bytes = 0;            // what the rule asks for
  std::optional<std::uint64_t> cap_bytes;  // set where memory kept the arrays below the rule
  std::string_view capped_by;              // "available", "cgroup" or "nodes"
};

// By the rule, each array has 4 times the last-level caches in use, and at least 10^6 elements; it
// is rounded up so that every thread gets the same number of huge pages. Nine tenths of the free
// memory is used at most: where that is less, the size is capped, and a size that was asked for
// and does not fit is refused.
// Source of the rule: the run rules of STREAM (J. D. McCalpin).
Result<ArraySize> choose_array_size(const MemoryBudget& budget, const SizeRequest& request);

}  // namespace streamgage
