// A loop that computes and touches no memory: its time shows what share of a CPU a thread gets.
#pragma once

#include <cstdint>

#include "streamgage/base/cpu_list.hpp"

namespace streamgage::engine {

// Steps that each need the one before; what it returns depends on all of them.
std::uint64_t compute(std::int64_t steps, std::uint64_t seed);

// How many steps take about so long on the calling thread.
std::int64_t steps_for(double seconds);

// Does that many steps on the calling thread; the CPUs that it was on meanwhile, ascending.
CpuList compute_and_look(std::int64_t steps);

}  // namespace streamgage::engine
