// Finds the OpenMP runtime that started the threads.
#pragma once

#include <optional>
#include <string>

namespace streamgage::engine {

// Returns the path of its library. Nothing in a static program.
std::optional<std::string> openmp_library();

}  // namespace streamgage::engine
