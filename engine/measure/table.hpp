// The table that the engine prints by itself, without Python: STREAM's columns, a line a variant.
#pragma once

#include <string>

#include "measure/session.hpp"

namespace streamgage::engine {

// Rates in MB/s (10^6 bytes) by STREAM's nominal counting, times in seconds over the timed samples;
// "-" where there are none.
std::string format_table(const Machine& machine, const Outcome& outcome);

}  // namespace streamgage::engine
