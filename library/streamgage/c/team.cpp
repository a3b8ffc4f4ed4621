#include <vector>

#include "streamgage/c/guard.hpp"
#include "streamgage/c/handles.hpp"
#include "streamgage/team/proof.hpp"

using streamgage::Result;

streamgage_team* streamgage_team_assemble(const streamgage_placement* placement,
                                          streamgage_error* error) {
  return streamgage::guarded<streamgage_team*>(error, nullptr, [&]() -> Result<streamgage_team*> {
    STREAMGAGE_TRY(streamgage::require(placement));
    return streamgage::Team::assemble(placement->placement).map([&](streamgage::Team team) {
      return new streamgage_team{std::move(team), placement->placement};
    });
  });
}

void streamgage_team_free(streamgage_team* team) { delete team; }

int streamgage_team_size(const streamgage_team* team) {
  return team == nullptr ? 0 : team->team.size();
}

streamgage_status streamgage_team_prove(const streamgage_team* team, streamgage_error* error) {
  return streamgage::guarded_status(error, [&]() -> Result<void> {
    STREAMGAGE_TRY(streamgage::require(team));
    return streamgage::prove(team->team, team->placement).map([](const auto& /*places*/) {});
  });
}

double streamgage_team_run(const streamgage_team* team, streamgage_work work, void* context) {
  return streamgage_team_time(team, work, context).value;
}

streamgage_timing streamgage_team_time(const streamgage_team* team, streamgage_work work,
                                       void* context) {
  streamgage_timing timed{};
  (void)streamgage::guarded_status(nullptr, [&]() -> Result<void> {
    STREAMGAGE_TRY(streamgage::require(team, work));
    const streamgage::Timing timing =
        team->team.time({[&](int thread) { return work(thread, context); }});
    timed = {timing.seconds, timing.value, timing.moved, timing.switches};
    return {};
  });
  return timed;
}
