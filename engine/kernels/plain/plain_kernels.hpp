// The plain C kernels at the best instruction-set level that this processor has.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/range_kernel.h"

namespace streamgage::engine {

struct PlainKernel {
  streamgage_range_kernel run = nullptr;
  std::string isa;   // "x86-64-v4"
  std::string code;  // the compiler and its flags
  // The library functions that the object code calls, such as memcpy. Nothing if the code was not
  // read.
  std::optional<std::vector<std::string>> calls;
};

// Returns the compiled levels that this processor has, best first. Never empty.
std::vector<std::string> plain_levels();

// Returns the number of the best level whose compiler may use that vector instruction set.
std::size_t plain_level_of(std::string_view vector_isa);

// Returns the kernel at the level with that number in plain_levels(). Default: the best level.
PlainKernel plain_kernel(KernelId kernel, ElementType type, std::size_t number = 0);

}  // namespace streamgage::engine
