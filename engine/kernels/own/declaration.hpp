// Finds errors in what a user's kernel declares.
#pragma once

#include <optional>
#include <string>

#include "kernels/own/own_kernel.hpp"

namespace streamgage::engine {

// Copies a declaration into the kernel. Returns the first error as a sentence without a subject:
// "declares no array".
std::optional<std::string> take_declaration(const streamgage_kernel& declared, OwnKernel& kernel);

}  // namespace streamgage::engine
