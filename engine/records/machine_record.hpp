// The record "machine", field by field as in streamgage/records/machine.py.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

nlohmann::ordered_json to_record(const Machine& machine);

}  // namespace streamgage::engine
