// Which OpenMP runtime started the threads.
#pragma once

#include <optional>
#include <string>

namespace streamgage::engine {

// The library that provides it, by its path; nothing in a static program.
std::optional<std::string> openmp_library();

}  // namespace streamgage::engine
