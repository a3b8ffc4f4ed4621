// The access shape: the order in which a vector kernel walks through its part of the arrays, or a
// device through all of them.
#pragma once

#include <cstdint>
#include <optional>

namespace streamgage::engine {

// Where what a device loads and stores is to stay: anywhere, or not in the caches.
enum class CacheHint { kNone, kStreaming };

inline constexpr const char* name_of(CacheHint hint) {
  return hint == CacheHint::kStreaming ? "streaming" : "none";
}

// The shape on a device: the width and number of the loads of a work-item, and the groups.
struct DeviceShape {
  // The width of one load or store of a work-item.
  int vector_bytes = 8;
  // The number of loads of each array that a work-item issues before it computes.
  int loads = 1;
  int group_items = 256;
  // The number of groups, which walk through the arrays together in steps. Empty: one group for
  // each piece of work.
  std::optional<int> groups = std::nullopt;
  CacheHint hint = CacheHint::kNone;
  // Stages of a ring in the memory of a group, which bulk copies fill, each with the next vectors
  // of all loads; 0: work-items load from the memory of the device.
  int stages = 0;

  friend bool operator==(const DeviceShape&, const DeviceShape&) = default;
};

struct AccessShape {
  // The number of streams: places of the part that are walked at once, each by its own
  // instructions.
  int streams = 1;
  // Distance between neighbouring streams, which then walk through the part one group of blocks
  // after another; 0: each stream has one contiguous share of the part.
  std::int64_t block_bytes = 0;
  // The distance in bytes by which lines are prefetched before their loads. Empty: no prefetch.
  std::optional<std::int64_t> read_prefetch_bytes;
  // The distance in bytes by which lines are prefetched for writing, or claimed, before their
  // stores.
  std::optional<std::int64_t> write_prefetch_bytes;
  // The shape on a device, to which nothing else of this struct applies.
  std::optional<DeviceShape> device = std::nullopt;

  friend bool operator==(const AccessShape&, const AccessShape&) = default;
};

}  // namespace streamgage::engine
