// The code of a variant, whatever its origin, behind one call.
#pragma once

#include <cstdint>

#include "base/access_shape.hpp"
#include "kernels/range_kernel.h"
#include "kernels/vector/vector_task.hpp"
#include "streamgage/kernel.h"

namespace streamgage::engine {

// The operands, as in range_kernel.h. For a user's kernel, a is the table of its arrays.
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
  // Makes the code of a user's kernel with this number of iterations.
  KernelCode(double (*own_kernel)(const streamgage_call*), std::int64_t iterations)
      : own_kernel_(own_kernel), iterations_(iterations) {}

  // Makes `repeats` passes (an odd number) over the elements [begin, end). Returns a reduction's
  // value of one pass, else 0.
  [[nodiscard]] double run(const Operands& operands, double s, std::int64_t begin, std::int64_t end,
                           std::int64_t repeats) const {
    const auto& [a, b, c, d] = operands;
    if (vector_kernel_ != nullptr) {
      return vector_kernel_({a, b, c, d, s, begin, end, repeats, shape_, claim_bytes_});
    }
    double value = 0.0;
    if (own_kernel_ != nullptr) {
      const streamgage_call call{static_cast<void* const*>(a), begin, end, iterations_, s, 0.0};
      for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
        value = own_kernel_(&call);
      }
      return value;
    }
    for (std::int64_t repeat = 0; repeat < repeats; ++repeat) {
      value = range_kernel_(a, b, c, d, s, begin, end);
    }
    return value;
  }

 private:
  streamgage_range_kernel range_kernel_ = nullptr;
  VectorKernel vector_kernel_ = nullptr;
  double (*own_kernel_)(const streamgage_call*) = nullptr;
  std::int64_t iterations_ = 0;
  AccessShape shape_;
  std::int64_t claim_bytes_ = 0;
};

}  // namespace streamgage::engine
