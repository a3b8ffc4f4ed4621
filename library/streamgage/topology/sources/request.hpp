// Whether the environment asks hwloc for another topology than this system's.
#pragma once

#include <optional>
#include <string>

namespace streamgage {

// The variable that does and what it holds, "HWLOC_SYNTHETIC='pack:2'"; nothing where none does.
std::optional<std::string> find_request();

}  // namespace streamgage
