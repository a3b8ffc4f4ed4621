// The result of a node for people.
#pragma once

#include <string>

#include "node/node_result.hpp"

namespace streamgage::engine {

// Returns where the node was measured, one line per figure, what the figures mean, the warnings,
// and the sentence to quote them by. Rates are in GB/s, 10^9 bytes per second.
std::string format_table(const NodeResult& result);

}  // namespace streamgage::engine
