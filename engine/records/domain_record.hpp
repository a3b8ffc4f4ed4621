// The memory traffic of domains, as a record reports it.
#pragma once

#include <span>
#include <vector>

#include "contract/course.hpp"
#include "streamgage/counters/source/traffic.hpp"

namespace streamgage::engine {

// Returns bytes; null if they were not counted, with the reason.
std::vector<record::DomainTraffic> domain_records(std::span<const DomainTraffic> domains);

}  // namespace streamgage::engine
