// The essential warnings: what makes figures wrong or misleads about the node. Everything else that
// can be said of a run is for the front.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "node/node_result.hpp"

namespace streamgage::engine {

// The warnings that the rest of the result gives rise to, the most important first.
std::vector<Warning> warnings_of(const NodeResult& result);

// What disturbed the run so much that its figures say nothing of the node, in a few words; nothing
// where the run was sound.
std::optional<std::string> disturbance_of(const NodeResult& result);

// The share of the CPUs' time that other programs and the hypervisor took; nothing where the system
// does not say it.
std::optional<double> share_taken(const NodeResult& result);

}  // namespace streamgage::engine
