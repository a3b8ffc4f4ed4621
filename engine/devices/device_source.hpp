// The kernels of the catalogue in OpenCL C: written from their formulas, one program a shape.
#pragma once

#include <string>

#include "base/plan.hpp"
#include "kernels/catalogue.hpp"

namespace streamgage::engine {

inline constexpr const char* kStreamKernel = "stream";
inline constexpr const char* kFillKernel = "fill";

// A kernel named kStreamKernel, on vectors `first` to `first + count - 1`:
//   stream(a, b, c, d, s, first, count, sums, part)
// A work-item has so many loads of such vectors in flight. A reduction leaves a value a group in
// `sums`; `part` is shared memory with an element for each item of a group, whose number is a power
// of two.
std::string stream_source(const Kernel& kernel, ElementType type, int vector_bytes, int loads);

// A kernel named kFillKernel, which repeats a pattern:
//   fill(a, pattern, period, elements)
std::string fill_source(ElementType type);

}  // namespace streamgage::engine
