// Chooses the memory of each load thread, large enough that no cache holds it.
#pragma once

#include <cstdint>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// Returns the bytes of each array of the threads on those CPUs, the same for all. The threads that
// share a last-level cache stream together through 4 times its size, and each through at least 16
// MiB. If no cache is known, they stream through 256 MiB together.
std::uint64_t bytes_of_each_load(const Machine& machine, const CpuList& cpus);

}  // namespace streamgage::engine
