// The plain C kernels at the best instruction-set level that this processor has.
#pragma once

#include <string>

#include "base/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/range_kernel.h"

namespace streamgage {

struct PlainKernel {
  streamgage_range_kernel run = nullptr;
  std::string isa;   // "x86-64-v4"
  std::string code;  // the compiler and its flags
};

PlainKernel plain_kernel(KernelId kernel, ElementType type);

}  // namespace streamgage
