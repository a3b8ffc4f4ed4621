// The access shape: in what order a vector kernel walks its part of the arrays.
#pragma once

#include <cstdint>
#include <optional>

namespace streamgage::engine {

struct AccessShape {
  // Places of the part that are walked at once, each by instructions of its own.
  int streams = 1;
  // Distance between neighbouring streams, which then work through the part block group by block
  // group; 0: each stream has one contiguous share of the part.
  std::int64_t block_bytes = 0;
  // How far ahead of the loads lines are prefetched; nothing: not at all.
  std::optional<std::int64_t> read_prefetch_bytes;
  // How far ahead of ordinary stores lines are prefetched for writing, or of claim stores claimed.
  std::optional<std::int64_t> write_prefetch_bytes;

  friend bool operator==(const AccessShape&, const AccessShape&) = default;
};

}  // namespace streamgage::engine
