// The memory traffic of one domain, as a record reports it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "streamgage/counters/source/traffic.hpp"

namespace streamgage::engine {

// Returns bytes; null if they were not counted, with the reason.
nlohmann::ordered_json domain_record(const DomainTraffic& traffic);

}  // namespace streamgage::engine
