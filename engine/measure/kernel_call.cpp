#include "measure/kernel_call.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "measure/likwid/marked_region.hpp"

namespace streamgage::engine {

namespace {

using RunThread = std::function<double(int thread, const Range& range)>;

Timing time_threads(const Team& team, const KernelCall& call, const std::vector<Range>& ranges,
                    const RunThread& run) {
  TimedWork work;
  work.run = [&](int thread) { return run(thread, ranges[static_cast<std::size_t>(thread)]); };
  work.before = [&call, &ranges](int thread) {
    __builtin_prefetch(&ranges[static_cast<std::size_t>(thread)]);  // else its miss would be timed
    start_region(call.region);
  };
  if constexpr (kHasMarkers) {
    work.after = [&call](int /*thread*/) { stop_region(call.region); };
  }
  return team.time(work);
}

}  // namespace

Timing time_call(const Team& team, const KernelCall& call, const std::vector<Range>& ranges) {
  return time_threads(team, call, ranges, [&](int /*thread*/, const Range& range) {
    return call.run.run(call.operands, call.s, range.begin, range.end, call.repeats);
  });
}

WalkedCall walk_call(const Team& team, const KernelCall& call, const std::vector<Range>& ranges,
                     std::int64_t window_elements) {
  const auto length_of = [&](const Range& range) {
    return window_elements > 0 && call.repeats == 1 ? window_elements
                                                    : std::max(range.size(), std::int64_t{1});
  };
  WalkedCall walked;
  walked.walks.resize(ranges.size());
  for (std::size_t thread = 0; thread < ranges.size(); ++thread) {
    const Range& range = ranges[thread];
    walked.walks[thread].reserve(static_cast<std::size_t>(range.size() / length_of(range)) + 1);
  }
  walked.timing = time_threads(team, call, ranges, [&](int thread, const Range& range) {
    ThreadWalk walk = std::move(walked.walks[static_cast<std::size_t>(thread)]);
    const std::int64_t length = length_of(range);
    double value = 0.0;
    walk.start();
    for (std::int64_t begin = range.begin; begin < range.end; begin += length) {
      const std::int64_t end = std::min(begin + length, range.end);
      value += call.run.run(call.operands, call.s, begin, end, call.repeats);
      walk.end_window((end - begin) * call.repeats);
    }
    walk.finish();
    walked.walks[static_cast<std::size_t>(thread)] = std::move(walk);
    return value;
  });
  return walked;
}

}  // namespace streamgage::engine
