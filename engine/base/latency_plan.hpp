// The plan of a run that measures latency: over working sets, and while other threads load the
// memory. contract/plan.hpp, which is made from streamgage/plan.py, declares it.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/json_lines.hpp"
#include "contract/plan.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Returns whether the text is such a plan: it has "measure": "latency".
bool is_latency_plan(std::string_view text);

Result<LatencyPlan> parse_latency_plan(std::string_view text);

// The plan as it was resolved.
Json latency_plan_record(const LatencyPlan& plan, std::uint64_t seed, int threads);

}  // namespace streamgage::engine
