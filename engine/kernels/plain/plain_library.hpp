// Plain kernels from a shared object of any compiler, instead of the engine's own.
#pragma once

#include <string>
#include <string_view>

#include "base/plan.hpp"
#include "kernels/range_kernel.h"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Returns the kernel in the library at `path`: a function with the signature of range_kernel.h and
// the symbol streamgage_TYPE_KERNEL, such as streamgage_double_triad. The library stays loaded. It
// is an error if it cannot be loaded; nullptr if it has no such symbol.
Result<streamgage_range_kernel> kernel_of_library(const std::string& path, std::string_view kernel,
                                                  ElementType type);

// Returns a name such as "streamgage_double_triad".
std::string symbol_of(std::string_view kernel, ElementType type);

}  // namespace streamgage::engine
