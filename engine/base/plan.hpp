// The plan: what to measure, where, and for how long. contract/plan.hpp, which is made from
// streamgage/plan.py, declares it.
#pragma once

#include <cstddef>
#include <string_view>

#include "contract/plan.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

class JsonReader;

std::size_t size_of(ElementType type);  // bytes

// Complains about a plan that names no version, or one that this engine does not know.
void check_version(JsonReader& reader);

// Complains about a placement that contradicts itself.
void check_placement(JsonReader& reader, const PlacementRequest& placement);

// Does not check whether the names of kernels and store modes exist; the catalogue does.
Result<Plan> parse_plan(std::string_view text);

}  // namespace streamgage::engine
