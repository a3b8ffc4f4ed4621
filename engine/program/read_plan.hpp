// The file that a plan is in.
#pragma once

#include <string>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Its text; "-" is standard input.
Result<std::string> read_plan(const std::string& file);

}  // namespace streamgage::engine
