// Plain kernels of a shared object that any compiler may have made, in place of the engine's own.
#pragma once

#include <string>
#include <string_view>

#include "base/plan.hpp"
#include "kernels/range_kernel.h"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// The kernel in the library at `path`: a function with the signature of range_kernel.h whose symbol
// is streamgage_TYPE_KERNEL, such as streamgage_double_triad. The library stays loaded. An error
// where it cannot be loaded; nullptr where it has no such symbol.
Result<streamgage_range_kernel> kernel_of_library(const std::string& path, std::string_view kernel,
                                                  ElementType type);

// "streamgage_double_triad".
std::string symbol_of(std::string_view kernel, ElementType type);

}  // namespace streamgage::engine
