// The result of a node for programs: one line of JSON, which thousands of nodes can send.
#pragma once

#include <cstddef>
#include <string>

#include "contract/node.hpp"
#include "node/node_result.hpp"

namespace streamgage::engine {

// Linux writes this much to a pipe in one piece (PIPE_BUF), so lines of several processes that
// write to one pipe are not mixed. Launchers may forward less in one piece: frames.hpp.
constexpr std::size_t kMostBytesOfLine = 4096;

// Returns the record "node", without the field "end".
record::NodeLine record_of(const NodeResult& result);

// Returns that record as a line with its newline. If the line is too long, it leaves out the list
// of CPUs, then the samples, then the cores and NUMA domains whose rates are nearest to the median.
// Its last field "end" has the host, the number of bytes before that field, and their checksum, so
// that no part of another node's line is taken for this node's. Many limits of a check, whose line
// one process reads, may make it longer.
std::string format_line(const NodeResult& result);

}  // namespace streamgage::engine
