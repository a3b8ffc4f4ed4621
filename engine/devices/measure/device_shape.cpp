#include "devices/measure/device_shape.hpp"

#include <algorithm>

#include <optional>
#include <utility>

#include "measure/expectation.hpp"

namespace streamgage::engine {
namespace {

constexpr int kUsualItems = 256;
constexpr int kMostLoads = 8;
// Narrower loads and stores with a hint would double what is compiled, for shapes that are slower.
constexpr int kNarrowestStreamed = 16;
// So many groups of the usual size, 1,024 work-items, run at the same time on a compute unit of any
// GPU of NVIDIA (since Turing) and AMD. BabelStream's dot (CUDAStream.cu) has as many groups.
constexpr std::uint64_t kUsualGroupsOfAUnit = 4;
// Of each array, by a work-item of such a group: 32 KiB by a compute unit.
constexpr int kBytesInFlight = 32;

// Reductions sum whole periods of the arrays' patterns to zero only where the steps of a work-item
// go through all of a period: see Expectation.
int without_period(std::uint64_t groups) {
  return static_cast<int>(groups % Expectation::kPeriod == 0 ? groups + 1 : groups);
}

int groups_at_once(const DeviceFacts& device) {
  return without_period(std::max<std::uint64_t>(device.compute_units, 1) * kUsualGroupsOfAUnit);
}

int usual_items(const DeviceFacts& device) {
  int items = kUsualItems;
  while (items > 1 && static_cast<std::uint64_t>(items) > device.most_group_items) {
    items /= 2;
  }
  return items;
}

}  // namespace

DeviceShape standard_shape(const DeviceFacts& device, const Kernel& kernel, ElementType type) {
  const auto element_bytes = static_cast<int>(size_of(type));
  if (!kernel.reduces()) {
    return {element_bytes, 1, usual_items(device)};
  }
  return {element_bytes, kBytesInFlight / element_bytes, usual_items(device),
          groups_at_once(device)};
}

DeviceShape shape_of_passes_inside(const DeviceFacts& device) {
  constexpr int kVectorBytes = 16;
  return {kVectorBytes, kBytesInFlight / kVectorBytes, usual_items(device), groups_at_once(device)};
}

std::uint64_t shared_bytes(const Kernel& kernel, ElementType type, const DeviceShape& shape) {
  const auto items = static_cast<std::uint64_t>(shape.group_items);
  if (shape.stages == 0) {
    return kernel.reduces() ? items * size_of(type) : 0;
  }
  const std::uint64_t tile = items * static_cast<std::uint64_t>(shape.loads * shape.vector_bytes);
  return static_cast<std::uint64_t>(shape.stages) *
         (static_cast<std::uint64_t>(kernel.loads()) * tile + sizeof(std::uint64_t));
}

std::vector<DeviceShape> candidate_vectors(const DeviceFacts& device, const Kernel& kernel,
                                           ElementType type) {
  std::vector<DeviceShape> shapes;
  for (int bytes = static_cast<int>(size_of(type)); bytes <= device.widest_vector_bytes;
       bytes *= 2) {
    for (int loads = 1; loads <= kMostLoads; loads *= 2) {
      shapes.push_back({bytes, loads, usual_items(device)});
      if (bytes >= kNarrowestStreamed) {
        shapes.push_back(shapes.back());
        shapes.back().hint = CacheHint::kStreaming;
      }
    }
  }
  if (kernel.loads() > 0) {
    for (const int stages : {2, 4, 8}) {
      for (int loads = 1; loads <= kMostLoads; loads *= 2) {
        const DeviceShape ring{kNarrowestStreamed,  loads,
                               usual_items(device), groups_at_once(device),
                               CacheHint::kNone,    stages};
        if (shared_bytes(kernel, type, ring) <= device.ring_bytes) {
          shapes.push_back(ring);
        }
      }
    }
  }
  // Those first that are mostly quick: with some times what a work-item of the usual grid has to
  // have in flight, and with the widest loads that one instruction does.
  const auto rank = [](const DeviceShape& shape) {
    constexpr int kMostlyQuick = 2 * kBytesInFlight;
    const int in_flight = shape.vector_bytes * shape.loads * std::max(shape.stages, 1);
    return std::pair(std::max(in_flight, kMostlyQuick) / std::min(in_flight, kMostlyQuick),
                     shape.vector_bytes != kNarrowestStreamed);
  };
  std::stable_sort(shapes.begin(), shapes.end(),
                   [&](const auto& one, const auto& other) { return rank(one) < rank(other); });
  return shapes;
}

std::vector<DeviceShape> candidate_groups(const DeviceFacts& device, const Kernel& kernel,
                                          ElementType type, const DeviceShape& shape,
                                          std::uint64_t most_items) {
  std::vector<DeviceShape> shapes;
  const auto units = std::max<std::uint64_t>(device.compute_units, 1);
  const std::uint64_t most = std::min(most_items, device.most_group_items);
  for (const std::uint64_t each : {0, 8, 16, 4, 32, 1}) {  // of a compute unit; 0: one pass
    for (const int items : {256, 128, 512, 64, 1024}) {
      DeviceShape other = shape;
      other.group_items = items;
      other.groups = each > 0 ? std::optional(without_period(units * each)) : std::nullopt;
      // A ring gains nothing in one pass, where a group has one tile.
      const bool fits =
          shape.stages == 0 || (each > 0 && shared_bytes(kernel, type, other) <= device.ring_bytes);
      if (static_cast<std::uint64_t>(items) <= most && fits) {
        shapes.push_back(other);
      }
    }
  }
  return shapes;
}

}  // namespace streamgage::engine
