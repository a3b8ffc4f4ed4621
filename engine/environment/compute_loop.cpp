#include "environment/compute_loop.hpp"

#include <sched.h>

#include <algorithm>
#include <limits>
#include <set>

#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

constexpr std::int64_t kLooks = 64;
constexpr double kEnoughToCalibrate = 2e-3;  // far above what reading the clock costs

void keep(std::uint64_t value) {
  volatile std::uint64_t kept = value;
  (void)kept;
}

// Of a few tries, because another program may take the CPU in the middle of one.
double shortest_time(std::int64_t steps) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Instant start = now();
    keep(compute(steps, 1));
    shortest = std::min(shortest, seconds_between(start, now()));
  }
  return shortest;
}

}  // namespace

std::uint64_t compute(std::int64_t steps, std::uint64_t seed) {
  std::uint64_t value = seed | 1U;  // xorshift keeps 0 at 0
  for (std::int64_t step = 0; step < steps; ++step) {
    value ^= value << 13U;
    value ^= value >> 7U;
    value ^= value << 17U;
  }
  return value;
}

std::int64_t steps_for(double seconds) {
  std::int64_t steps = 1 << 12;
  while (shortest_time(steps) < kEnoughToCalibrate) {
    steps *= 2;
  }
  const double wanted = static_cast<double>(steps) * seconds / shortest_time(steps);
  return std::max<std::int64_t>(kLooks, static_cast<std::int64_t>(wanted));
}

CpuList compute_and_look(std::int64_t steps) {
  std::set<int> seen;
  std::uint64_t value = 1;
  for (std::int64_t look = 0; look < kLooks; ++look) {
    seen.insert(sched_getcpu());
    value = compute(steps / kLooks, value);
  }
  keep(value);
  seen.insert(sched_getcpu());
  return {seen.begin(), seen.end()};
}

}  // namespace streamgage::engine
