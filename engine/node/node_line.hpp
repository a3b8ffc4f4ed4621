// The result of a node for programs: one line of JSON, which thousands of nodes can send.
#pragma once

#include <cstddef>
#include <string>

#include "node/node_result.hpp"

namespace streamgage::engine {

// A pipe takes so much in one piece on Linux (PIPE_BUF), so that lines of nodes that write to the
// same one are not mixed.
constexpr std::size_t kMostBytesOfLine = 4096;

// The record "node", field by field as in streamgage/records/node.py, with its newline. The list of
// CPUs is left out where the line would be too long with it, then the samples, then the cores and
// NUMA domains whose rates are nearest to the median.
std::string format_line(const NodeResult& result);

}  // namespace streamgage::engine
