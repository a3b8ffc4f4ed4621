// The chase: a series of loads, each of which needs the value that the previous one has read.
#pragma once

#include <cstdint>

#include "latency/pointer_chain.hpp"

namespace streamgage::engine {

struct Walk {
  const Link* end = nullptr;
  double seconds = 0.0;
};

// Follows `loads` links from `start`.
Walk walk_from(const Link* start, std::int64_t loads);

}  // namespace streamgage::engine
