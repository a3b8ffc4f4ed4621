// Checks whether hwloc can describe the machine that the environment requests. Otherwise hwloc
// silently falls back to the real machine, and figures for the wrong machine are worse than none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "streamgage/base/error.hpp"
#include "streamgage/topology/sources/request.hpp"

namespace streamgage {

// Returns an error, which names the variable, if the request cannot be met. hwloc is not called
// for this.
Result<void> check_request(const TopologyRequest& request);

// Returns, as a clause, why hwloc does not use a request that passed that check.
std::string why_not_used(const TopologyRequest& request);

// Returns how many CPUs a description in hwloc's synthetic form has ("pack:2 core:4 pu:2": 16).
// Larger counts than the type holds become its largest number.
std::uint64_t cpus_described(std::string_view synthetic);

}  // namespace streamgage
