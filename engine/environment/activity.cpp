#include "environment/activity.hpp"

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "base/json_lines.hpp"
#include "contract/environment.hpp"
#include "measure/outside_load.hpp"

namespace streamgage::engine {
namespace {

constexpr double kShortestLook = 0.1;
constexpr double kLongestLook = 60.0;

}  // namespace

Result<Activity> watch_activity(const CpuList& cpus, double seconds, const FileRoots& roots) {
  if (!(seconds >= kShortestLook && seconds <= kLongestLook)) {  // so that NaN is refused
    return usage_error(fmt::format("cannot watch activity for {2} s; choose {0} to {1} s",
                                   kShortestLook, kLongestLook, seconds));
  }
  OutsideLoad load(cpus, roots);
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const auto seen = load.since_last(0, 0.0);
  if (!seen) {
    return failure("the clock did not advance");
  }
  return Activity{cpus, seen->seconds, seen->steal_seconds, seen->other_seconds};
}

Json to_record(const Activity& activity) {
  return to_json(record::Activity{.cpus = format_cpu_list(activity.cpus),
                                  .seconds = activity.seconds,
                                  .steal_seconds = activity.steal_seconds,
                                  .other_seconds = activity.other_seconds});
}

}  // namespace streamgage::engine
