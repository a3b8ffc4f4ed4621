// The seconds of a pass by the time in which all threads had their CPUs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "streamgage/team/team.hpp"
#include "streamgage/team/thread_walk.hpp"

namespace streamgage::engine {

// What a sample says of a pass.
struct PassTime {
  // Seconds; nothing where the threads hardly ever had their CPUs at the same time.
  std::optional<double> seconds;
  // The whole pass in place of its windows: no thread lost its CPU, or nothing is known of that.
  bool is_whole = true;
  QuietTime quiet = {};
};

// Returns the elements of a pass of all walks together.
double elements_a_pass(const std::vector<ThreadWalk>& walks, std::int64_t passes);

// Returns the time of the whole pass if no thread lost its CPU. Otherwise the time that a pass
// takes at the rate of the quiet time, if there is at least a millisecond of it. Without walks
// nothing is known of losses.
PassTime pass_time(const Timing& timing, const std::vector<ThreadWalk>& walks, std::int64_t passes);

}  // namespace streamgage::engine
