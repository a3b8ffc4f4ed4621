// For tests: a machine of one CPU and 1 GiB, whatever machine the tests run on.
#pragma once

#include <cstdint>

#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

inline Machine small_machine() {
  Machine machine;
  machine.allowed_cpus = {0};
  machine.allowed = {{0, 0, 0, 0, 0}};
  machine.memory_available_bytes = std::uint64_t{1} << 30U;
  return machine;
}

}  // namespace streamgage::engine
