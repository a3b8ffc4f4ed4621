#include "latency/chase.hpp"

#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {

Walk walk_from(const Link* start, std::int64_t loads) {
  const Link* link = start;
  const Instant begin = now();
  for (std::int64_t load = 0; load < loads; ++load) {
    link = link->next;
  }
  // The last address is needed before the clock is read: without this a compiler that sees the
  // caller, too, might leave loads out or move them.
  asm volatile("" : : "r"(link) : "memory");
  return {link, seconds_between(begin, now())};
}

}  // namespace streamgage::engine
