#include "measure/pass_time.hpp"

namespace streamgage::engine {
namespace {

constexpr double kLeastQuietSeconds = 1e-3;

}  // namespace

double elements_a_pass(const std::vector<ThreadWalk>& walks, std::int64_t passes) {
  double elements = 0.0;
  for (const ThreadWalk& walk : walks) {
    for (const WalkMark& mark : walk.marks) {
      elements += static_cast<double>(mark.elements);
    }
  }
  return elements / static_cast<double>(passes);
}

PassTime pass_time(const Timing& timing, const std::vector<ThreadWalk>& walks,
                   std::int64_t passes) {
  const double whole = timing.seconds / static_cast<double>(passes);
  if (walks.empty()) {
    return {whole};
  }
  PassTime time{whole, true, quiet_time(walks)};
  if (time.quiet.is_undisturbed) {
    return time;
  }
  time.is_whole = false;
  time.seconds = std::nullopt;
  if (time.quiet.seconds >= kLeastQuietSeconds && time.quiet.elements > 0.0) {
    time.seconds = elements_a_pass(walks, passes) * time.quiet.seconds / time.quiet.elements;
  }
  return time;
}

}  // namespace streamgage::engine
