// The code of a variant, of whatever origin, behind one call.
#pragma once

#include <cstdint>

#include "base/access_shape.hpp"
#include "kernels/range_kernel.h"
#include "kernels/vector/vector_task.hpp"

namespace streamgage {

// Operands as in range_kernel.h.
struct Operands {
  void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  const void* d = nullptr;
};

class KernelCode {
 public:
  KernelCode() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): any function of that signature is a kernel
  KernelCode(streamgage_range_kernel range_kernel) : range_kernel_(range_kernel) {}
  KernelCode(VectorKernel vector_kernel, AccessShape shape, std::int64_t claim_bytes)
      : vector_kernel_(vector_kernel), shape_(shape), claim_bytes_(claim_bytes) {}

  // `repeats` passes (an odd number) over the elements [begin, end). Returns a reduction's value
  // of one pass, else 0.
  [[nodiscard]] double run(const Operands& operands, double s, std::int64_t begin, std::int64_t end,
                           std::int64_t repeats) const {
    const auto& [a, b, c, d] = operands;
    if (vector_kernel_ != nullptr) {
      return vector_kernel_({a, b, c, d, s, begin, end, repeats, shape_, claim_bytes_});
    }
    double value = 0.0;
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
      value = range_kernel_(a, b, c, d, s, begin, end);
    }
    return value;
  }

 private:
  streamgage_range_kernel range_kernel_ = nullptr;
  VectorKernel vector_kernel_ = nullptr;
  AccessShape shape_;
  std::int64_t claim_bytes_ = 0;
};

}  // namespace streamgage
