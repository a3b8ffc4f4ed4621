// The C library's own memset and memcpy as kernels: what most programs call.
#pragma once

#include <cstdint>
#include <string>

#include "base/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/range_kernel.h"

namespace streamgage::engine {

struct LibcKernel {
  streamgage_range_kernel run = nullptr;  // null where the library has no such function
  std::string code;                       // "glibc 2.36 memcpy"
};

LibcKernel libc_kernel(KernelId kernel, ElementType type);

// memset writes the same byte everywhere. Returns the element that this makes: init can use memset
// only with this scalar.
double element_of_byte(std::uint8_t byte, ElementType type);

}  // namespace streamgage::engine
