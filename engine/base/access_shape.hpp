// The access shape: the order in which a vector kernel walks through its part of the arrays, or a
// device through all of them.
#pragma once

#include <cstdint>
#include <optional>

namespace streamgage::engine {

// What a work-item of a device loads at once, and how many there are of them.
struct DeviceShape {
  // Of one load or store of a work-item.
  int vector_bytes = 8;
  // Loads of each array that a work-item has in flight before it computes.
  int loads = 1;
  int group_items = 256;
  // Groups that go through the arrays in steps of all together; nothing: as many as there is work
  // for, each at one place.
  std::optional<int> groups = std::nullopt;

  friend bool operator==(const DeviceShape&, const DeviceShape&) = default;
};

struct AccessShape {
  // How many places of the part are walked at once, each by its own instructions.
  int streams = 1;
  // Distance between neighbouring streams, which then walk through the part one group of blocks
  // after another; 0: each stream has one contiguous share of the part.
  std::int64_t block_bytes = 0;
  // How far ahead of the loads lines are prefetched; empty: no prefetch.
  std::optional<std::int64_t> read_prefetch_bytes;
  // How far ahead of the stores lines are prefetched for writing, or claimed by claim stores.
  std::optional<std::int64_t> write_prefetch_bytes;
  // Of a device, where nothing else of the shape applies.
  std::optional<DeviceShape> device = std::nullopt;

  friend bool operator==(const AccessShape&, const AccessShape&) = default;
};

}  // namespace streamgage::engine
