// Reads the file of a plan.
#pragma once

#include <string>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Returns the text of the file. "-" is standard input.
Result<std::string> read_plan(const std::string& file);

}  // namespace streamgage::engine
