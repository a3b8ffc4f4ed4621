// What crossed the bus of one memory domain, as a record reports it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "streamgage/counters/source/traffic.hpp"

namespace streamgage::engine {

// Bytes, null where they were not counted, and then why.
nlohmann::ordered_json domain_record(const DomainTraffic& traffic);

}  // namespace streamgage::engine
