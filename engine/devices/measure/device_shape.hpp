// The access shapes that a device may have.
#pragma once

#include <cstdint>
#include <vector>

#include "base/access_shape.hpp"
#include "base/plan.hpp"
#include "devices/device.hpp"
#include "kernels/catalogue.hpp"

namespace streamgage::engine {

// One element a work-item, in one pass: the loop that everybody writes. A reduction has groups that
// all run at the same time instead, each of which adds up many parts of the arrays, as in most
// programs: with one element a work-item it would do little but meet at barriers.
DeviceShape standard_shape(const DeviceFacts& device, const Kernel& kernel, ElementType type);

// For all passes in one launch: groups that all run at the same time, so that each pass goes
// through the whole of the arrays before the next one. What they have in flight is enough for
// memory.
DeviceShape shape_of_passes_inside(const DeviceFacts& device);

// Vectors, loads in flight, hints and rings, in groups of the standard size. Where there is no time
// for all, the first ones are taken: those that are mostly quick.
std::vector<DeviceShape> candidate_vectors(const DeviceFacts& device, const Kernel& kernel,
                                           ElementType type);

// Groups for a shape whose vectors and loads are settled, of at most `most_items` items each.
std::vector<DeviceShape> candidate_groups(const DeviceFacts& device, const Kernel& kernel,
                                          ElementType type, const DeviceShape& shape,
                                          std::uint64_t most_items);

// What the work-items of a group share, of the device's memory for that: the stages of a ring with
// a barrier each, where the sums of a reduction have room at the end; or the sums alone.
std::uint64_t shared_bytes(const Kernel& kernel, ElementType type, const DeviceShape& shape);

}  // namespace streamgage::engine
