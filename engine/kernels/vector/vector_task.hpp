// The work of one call of a vector kernel.
#pragma once

#include <cstdint>

#include "base/access_shape.hpp"

namespace streamgage::engine {

struct VectorTask {
  // Operands as in range_kernel.h.
  void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  const void* d = nullptr;
  double s = 0.0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  // The number of passes over [begin, end), one after the other. It must be odd for a reduction,
  // whose value is then that of one pass.
  std::int64_t repeats = 1;
  AccessShape shape;
  // Bytes that one claim instruction claims; 0 for kernels that claim nothing.
  std::int64_t claim_bytes = 0;
};

// Returns a reduction's value, 0 for every other kernel.
using VectorKernel = double (*)(const VectorTask&);

}  // namespace streamgage::engine
