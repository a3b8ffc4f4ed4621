// Runs a kernel as a team's timed work, each thread on its own range. Builds with LIKWID put its
// markers around it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernel_code.hpp"
#include "streamgage/memory/partition.hpp"
#include "streamgage/team/team.hpp"
#include "streamgage/team/thread_walk.hpp"

namespace streamgage::engine {

// A call of a kernel, with its operands.
struct KernelCall {
  KernelCode run;
  Operands operands;
  double s = 0.0;
  std::int64_t repeats = 1;  // odd: see KernelCode
  std::string region = {};   // its name for LIKWID's markers; only where they are built in
};

// Makes one timed call, with one range per thread. Its value is the sum of what one pass returned.
Timing time_call(const Team& team, const KernelCall& call, const std::vector<Range>& ranges);

// A timed call with the walk of each thread.
struct WalkedCall {
  Timing timing;
  std::vector<ThreadWalk> walks;
};

// Makes one timed call in which each thread walks through its range in windows of so many elements;
// 0: in a single window. More than one pass is always a single window.
WalkedCall walk_call(const Team& team, const KernelCall& call, const std::vector<Range>& ranges,
                     std::int64_t window_elements);

}  // namespace streamgage::engine
