// How much memory a thread that loads it needs, so that no cache keeps it.
#pragma once

#include <cstdint>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// Bytes of each array of each of the threads on those CPUs, the same for all: the threads that
// share a last-level cache stream through 4 times of it together, each through 16 MiB at least.
// Where no cache is known, through 256 MiB together.
std::uint64_t bytes_of_each_load(const Machine& machine, const CpuList& cpus);

}  // namespace streamgage::engine
