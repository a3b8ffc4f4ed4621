// The size of the arrays: STREAM's rule, the available memory, and the request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "streamgage/base/error.hpp"
#include "streamgage/memory/memory_budget.hpp"

namespace streamgage {

// The request for a size.
struct SizeRequest {
  std::uint64_t last_level_cache_bytes = 0;  // of all threads together
  std::size_t element_bytes = 8;
  int arrays = 3;
  int threads = 1;
  std::optional<std::uint64_t> asked_bytes;  // of each array
  // Of each array, where the memory has room for it: more than the rule, which stays as it is.
  std::uint64_t usual_bytes = 0;
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
// is rounded up so that every thread gets the same number of huge pages. At most nine tenths of the
// free memory are used: a size by the rule is then capped, a usual size that does not fit is left
// out, and a requested size that does not fit is refused. Source of the rule: the run rules of
// STREAM (J. D. McCalpin).
Result<ArraySize> choose_array_size(const MemoryBudget& budget, const SizeRequest& request);

}  // namespace streamgage
