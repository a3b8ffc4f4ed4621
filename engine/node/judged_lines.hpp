// Judges lines of nodes that are there already, as a check judges the line that it measured: for
// the test that holds this judge against that of the front.
#pragma once

#include <iosfwd>
#include <string>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Reads JSON Lines, {"runs": 2, "line": {...}}, each with the record of a node and how often it was
// measured. Returns an exit status and the verdict of each, as "1 slow: triad 380 GB/s, ...".
Result<std::string> judge_lines(std::istream& lines);

}  // namespace streamgage::engine
