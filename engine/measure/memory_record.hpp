// The record of the arrays: how large, why, and where their pages are.
#pragma once

#include "base/json_lines.hpp"
#include "measure/setup.hpp"
#include "measure/workload.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// Reads the pages back: call it after the touch.
Json memory_record(const Machine& machine, const Decision& decision, const Workload& workload,
                   const Touch& touch, int epoch);

}  // namespace streamgage::engine
