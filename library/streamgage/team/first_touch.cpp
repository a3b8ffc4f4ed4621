#include "streamgage/team/first_touch.hpp"

#include <sched.h>

#include <cstring>

#include "streamgage/clock/clock.hpp"

namespace streamgage {

Touch first_touch(const Team& team, const std::function<void()>& write) {
  Touch touch;
  touch.cpus.resize(static_cast<std::size_t>(team.size()));
  const Instant start = now();
  write();
  touch.seconds = seconds_between(start, now());
  team.each([&](int thread) { touch.cpus[static_cast<std::size_t>(thread)] = sched_getcpu(); });
  return touch;
}

Touch first_touch(const Team& team, const Array& array, const std::vector<Range>& ranges,
                  std::size_t element_bytes) {
  return first_touch(team, [&] {
    team.each([&](int thread) {
      const Range& range = ranges[static_cast<std::size_t>(thread)];
      const std::uint64_t begin = static_cast<std::uint64_t>(range.begin) * element_bytes;
      const std::uint64_t end = static_cast<std::uint64_t>(range.end) * element_bytes;
      std::memset(array.data() + begin, 0, end - begin);
    });
  });
}

}  // namespace streamgage
