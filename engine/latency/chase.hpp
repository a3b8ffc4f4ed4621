// The chase: one load after another, and each needs what the one before has brought.
#pragma once

#include <cstdint>

#include "latency/pointer_chain.hpp"

namespace streamgage::engine {

struct Walk {
  const Link* end = nullptr;
  double seconds = 0.0;
};

// Follows that many links.
Walk walk_from(const Link* start, std::int64_t loads);

}  // namespace streamgage::engine
