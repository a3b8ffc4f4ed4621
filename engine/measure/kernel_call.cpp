#include "measure/kernel_call.hpp"

#include <cstddef>

#include "measure/likwid/marked_region.hpp"

namespace streamgage::engine {

Timing time_call(const Team& team, const KernelCall& call, const std::vector<Range>& ranges) {
  TimedWork work;
  work.run = [&call, &ranges](int thread) {
    const Range& range = ranges[static_cast<std::size_t>(thread)];
    return call.run.run(call.operands, call.s, range.begin, range.end, call.repeats);
  };
  work.before = [&call, &ranges](int thread) {
    __builtin_prefetch(&ranges[static_cast<std::size_t>(thread)]);  // else its miss would be timed
    start_region(call.region);
  };
  if constexpr (kHasMarkers) {
    work.after = [&call](int /*thread*/) { stop_region(call.region); };
  }
  return team.time(work);
}

}  // namespace streamgage::engine
