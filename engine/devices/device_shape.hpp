// The access shapes that a device may have.
#pragma once

#include <cstdint>
#include <vector>

#include "base/access_shape.hpp"
#include "base/plan.hpp"
#include "devices/device.hpp"

namespace streamgage::engine {

// One element a work-item, in one pass: the loop that everybody writes.
DeviceShape standard_shape(const DeviceFacts& device, ElementType type);

// Vectors, loads in flight and hints, in groups of the standard size in one pass; where there is no
// time for all, the first ones are taken.
std::vector<DeviceShape> candidate_vectors(const DeviceFacts& device, ElementType type);

// Groups for a shape whose vectors and loads are settled, of at most `most_items` items each.
std::vector<DeviceShape> candidate_groups(const DeviceFacts& device, const DeviceShape& shape,
                                          std::uint64_t most_items);

}  // namespace streamgage::engine
