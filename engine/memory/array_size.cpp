#include "memory/array_size.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/units.hpp"

namespace streamgage {
namespace {

constexpr std::uint64_t kHugePage = 2 * kMiB;
constexpr std::uint64_t kLeastElements = 1'000'000;

struct Cap {
  std::uint64_t bytes;  // for each array
  std::string_view by;
  std::uint64_t free_bytes;
};

Cap memory_cap(const MemoryBudget& budget, int arrays) {
  const bool limited = budget.limit_free_bytes && *budget.limit_free_bytes < budget.available_bytes;
  const std::uint64_t free = limited ? *budget.limit_free_bytes : budget.available_bytes;
  return {free / 10 * 9 / static_cast<std::uint64_t>(arrays), limited ? "cgroup" : "available",
          free};
}

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t step) {
  return (bytes + step - 1) / step * step;
}

}  // namespace

Result<ArraySize> choose_array_size(const MemoryBudget& budget, const SizeRequest& request) {
  const std::uint64_t rule =
      std::max(4 * request.last_level_cache_bytes, kLeastElements * request.element_bytes);
  const Cap cap = memory_cap(budget, request.arrays);
  const auto threads = static_cast<std::uint64_t>(request.threads);

  ArraySize size;
  size.rule_bytes = rule;
  if (request.asked_bytes) {
    if (*request.asked_bytes > cap.bytes) {
      return usage_error(fmt::format(
          "{} arrays of {} do not fit into memory: {} are free{}, of which nine tenths are used; "
          "ask for arrays of at most {}",
          request.arrays, format_bytes(*request.asked_bytes), format_bytes(cap.free_bytes),
          cap.by == "cgroup" ? " under the cgroup's limit" : "",
          format_bytes(cap.bytes / kMiB * kMiB)));  // rounded down: what is named must fit
    }
    size.bytes = *request.asked_bytes / request.element_bytes * request.element_bytes;
    if (size.bytes / request.element_bytes < threads) {
      return usage_error(fmt::format(
          "arrays of {} hold fewer elements of {} bytes than there are threads ({}); ask for at "
          "least {} bytes",
          format_bytes(*request.asked_bytes), request.element_bytes, threads,
          threads * request.element_bytes));
    }
  } else {
    size.bytes = round_up(rule, kHugePage * threads);
    if (size.bytes > cap.bytes) {
      const std::uint64_t step = cap.bytes >= kHugePage * threads ? kHugePage * threads : 4 * kKiB;
      size.bytes = cap.bytes / step * step;
    }
    if (size.bytes < rule) {
      size.cap_bytes = cap.bytes;
      size.capped_by = cap.by;
    }
    if (size.bytes < kLeastElements * request.element_bytes) {
      return failure(fmt::format(
          "only {} of memory are free{}, too little for {} arrays of a million elements; free some "
          "memory or raise the limit",
          format_bytes(cap.free_bytes), cap.by == "cgroup" ? " under the cgroup's limit" : "",
          request.arrays));
    }
  }
  size.elements = static_cast<std::int64_t>(size.bytes / request.element_bytes);
  return size;
}

}  // namespace streamgage
