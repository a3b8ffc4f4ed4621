// The record "expansion": an expression, its CPUs, and the machine that it was read for.
#pragma once

#include <string>

#include "base/json_lines.hpp"
#include "streamgage/placement/expression/expand.hpp"

namespace streamgage::engine {

Json expansion_record(const std::string& expression, const CpuList& cpus, const Machine& machine);

}  // namespace streamgage::engine
