// The essential warnings: what makes figures wrong or misleading for the node. The Python front
// reports everything else about a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "node/node_result.hpp"

namespace streamgage::engine {

// Returns the warnings about the rest of the result, the most important first.
std::vector<Warning> warnings_of(const NodeResult& result);

// Returns in a few words what disturbed the run so much that its figures say nothing about the
// node; nothing if the run was sound.
std::optional<std::string> disturbance_of(const NodeResult& result);

// Returns the share of the CPUs' time that other programs and the hypervisor took; nothing if the
// system does not report it.
std::optional<double> share_taken(const NodeResult& result);

}  // namespace streamgage::engine
