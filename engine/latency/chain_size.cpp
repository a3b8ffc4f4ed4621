#include "latency/chain_size.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "streamgage/base/units.hpp"
#include "streamgage/memory/array.hpp"

namespace streamgage::engine {
namespace {

constexpr std::uint64_t kLeastChain = 64 * kMiB;
// More would take longer to write than to measure, and no cache that one CPU uses needs it.
constexpr std::uint64_t kMostChain = kGiB;

}  // namespace

Result<std::uint64_t> choose_chain_bytes(std::uint64_t last_level_cache_bytes,
                                         const MemoryBudget& budget) {
  const std::uint64_t wanted =
      last_level_cache_bytes == 0
          ? kMostChain
          : std::clamp(round_up(4 * last_level_cache_bytes, kHugePage), kLeastChain, kMostChain);
  const FreeMemory free = free_memory(budget);
  const std::uint64_t bytes = std::min(wanted, free.bytes / 4 / kHugePage * kHugePage);
  // A memory-side cache of gigabytes is not left by any chain that can be walked in time.
  const std::uint64_t least = std::clamp(2 * last_level_cache_bytes, kLeastChain, kMostChain);
  if (bytes < least) {
    return failure(
        fmt::format("only {} of memory are free{}; measuring latency may use a quarter of that, "
                    "but needs {} here; free some memory or raise the limit",
                    format_bytes(free.bytes), free.where, format_bytes(least)));
  }
  return bytes;
}

}  // namespace streamgage::engine
