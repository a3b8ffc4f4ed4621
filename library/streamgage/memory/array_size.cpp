#include "streamgage/memory/array_size.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "streamgage/base/units.hpp"
#include "streamgage/memory/array.hpp"

namespace streamgage {
namespace {

constexpr std::uint64_t kSmallPage = 4 * kKiB;
constexpr std::uint64_t kLeastElements = 1'000'000;
constexpr std::uint64_t kMostOfARule = std::uint64_t{1} << 56U;  // no processor addresses more

// The rule's size, rounded up as far as the cap allows: to equal numbers of huge pages a thread,
// else to a huge page, else to a small one. Where the cap is below the rule, what the cap gives.
std::uint64_t size_by_rule(std::uint64_t rule, std::uint64_t cap, std::uint64_t threads) {
  for (const std::uint64_t step : {kHugePage * threads, kHugePage, kSmallPage}) {
    if (round_up(rule, step) <= cap) {
      return round_up(rule, step);
    }
  }
  const std::uint64_t step = cap >= kHugePage * threads ? kHugePage * threads : kSmallPage;
  return std::min(rule, cap) / step * step;
}

}  // namespace

Result<ArraySize> choose_array_size(const MemoryBudget& budget, const SizeRequest& request) {
  const std::uint64_t least = request.element_bytes > kMostOfARule / kLeastElements
                                  ? kMostOfARule
                                  : kLeastElements * request.element_bytes;
  const std::uint64_t rule = std::max(4 * request.last_level_cache_bytes, least);
  const FreeMemory free = free_memory(budget);
  const std::uint64_t cap = free.bytes / 10 * 9 / static_cast<std::uint64_t>(request.arrays);
  const auto threads = static_cast<std::uint64_t>(request.threads);

  ArraySize size;
  size.rule_bytes = rule;
  if (request.asked_bytes) {
    if (*request.asked_bytes > cap) {
      return usage_error(
          fmt::format("{} of {} do{} not fit into memory: {} are free{}, and streamgage uses at "
                      "most nine tenths of that; ask for arrays of at most {}",
                      count_of(request.arrays, "array"), format_bytes(*request.asked_bytes),
                      request.arrays == 1 ? "es" : "", format_bytes(free.bytes), free.where,
                      format_bytes(cap / kMiB * kMiB)));  // rounded down: what is named must fit
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
    const bool has_room = request.usual_bytes <= cap;
    size.bytes = size_by_rule(has_room ? std::max(rule, request.usual_bytes) : rule, cap, threads);
    if (size.bytes < rule) {
      size.cap_bytes = cap;
      size.capped_by = free.limited_by;
    }
    if (size.bytes < least) {
      return failure(fmt::format(
          "only {} of memory are free{}, too little for {} of a million elements; free some memory "
          "or raise the limit",
          format_bytes(free.bytes), free.where, count_of(request.arrays, "array")));
    }
  }
  size.elements = static_cast<std::int64_t>(size.bytes / request.element_bytes);
  return size;
}

}  // namespace streamgage
