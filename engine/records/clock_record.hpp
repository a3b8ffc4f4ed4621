// The record "clock".
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {

nlohmann::ordered_json to_record(const ClockFacts& clock);

}  // namespace streamgage::engine
