#include "streamgage/clock/clock.hpp"

#include "streamgage/c/guard.hpp"
#include "streamgage/clock/core_clock.hpp"

using streamgage::Result;

double streamgage_now() {
  return std::chrono::duration<double>(streamgage::now().time_since_epoch()).count();
}

streamgage_clock streamgage_examine_clock() {
  return streamgage::guarded(nullptr, streamgage_clock{}, []() -> Result<streamgage_clock> {
    const streamgage::ClockFacts facts = streamgage::examine_clock();
    streamgage_clock clock{facts.granularity_seconds, facts.overhead_seconds, {}};
    facts.source.copy(clock.source, sizeof clock.source - 1);
    return clock;
  });
}

double streamgage_core_clock() {
  return streamgage::guarded(nullptr, 0.0, []() -> Result<double> {
    return streamgage::measure_core_clock().value_or(0.0);
  });
}
