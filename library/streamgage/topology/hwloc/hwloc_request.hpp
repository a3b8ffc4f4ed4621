// Whether hwloc can use what the environment asks for. It falls back to the real machine where it
// cannot, without a word, and figures for the wrong machine are worse than none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "streamgage/base/error.hpp"
#include "streamgage/topology/sources/request.hpp"

namespace streamgage {

// An error, which names the variable, where the request cannot be met; found before hwloc is asked.
Result<void> check_request(const TopologyRequest& request);

// What is wrong with a request that passed that check and that hwloc does not use: a clause.
std::string why_not_used(const TopologyRequest& request);

// How many CPUs a description in hwloc's synthetic form has ("pack:2 core:4 pu:2": 16); the largest
// number where there are more.
std::uint64_t cpus_described(std::string_view synthetic);

}  // namespace streamgage
