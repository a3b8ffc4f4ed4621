// Finds errors in what a user's kernel declares.
#pragma once

#include <optional>
#include <string>

#include "kernels/own/own_kernel.hpp"

namespace streamgage::engine {

// Takes the facts of a declaration over, or says in a sentence without a subject what is wrong with
// the first one that is: "declares no array".
std::optional<std::string> take_declaration(const streamgage_kernel& declared, OwnKernel& kernel);

}  // namespace streamgage::engine
