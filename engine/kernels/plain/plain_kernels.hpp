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
  // Library functions that the object code calls, such as memcpy; nothing where it was not read.
  std::optional<std::vector<std::string>> calls;
};

// The levels that were compiled and that this processor has, best first; never empty.
std::vector<std::string> plain_levels();

// Returns the number of the best level whose compiler may use that vector instruction set.
std::size_t plain_level_of(std::string_view vector_isa);

// The kernel at the level with that number in plain_levels(); by default the best.
PlainKernel plain_kernel(KernelId kernel, ElementType type, std::size_t number = 0);

}  // namespace streamgage::engine
