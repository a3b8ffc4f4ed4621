// A loop that computes and touches no memory: its time shows what share of a CPU a thread gets.
#pragma once

#include <cstdint>

#include "streamgage/base/cpu_list.hpp"

namespace streamgage::engine {

// Runs steps that each need the one before; the returned value depends on all of them.
std::uint64_t compute(std::int64_t steps, std::uint64_t seed);

// Returns how many steps take about `seconds` on the calling thread.
std::int64_t steps_for(double seconds);

// Runs that many steps on the calling thread; returns the CPUs that it ran on, ascending.
CpuList compute_and_look(std::int64_t steps);

}  // namespace streamgage::engine
