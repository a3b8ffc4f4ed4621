// Defines the handles of streamgage.h.
#pragma once

#include <string>

#include "streamgage/counters/traffic_region.hpp"
#include "streamgage/memory/array.hpp"
#include "streamgage/placement/placement.hpp"
#include "streamgage/statistics/sampler.hpp"
#include "streamgage/team/team.hpp"
#include "streamgage/topology/machine.hpp"

struct streamgage_machine {
  streamgage::Machine machine;
};

struct streamgage_placement {
  streamgage::Placement placement;
};

struct streamgage_team {
  streamgage::Team team;
  streamgage::Placement placement;
};

struct streamgage_buffer {
  streamgage::Array array;
};

// A region, with texts that outlive the calls that return them.
struct streamgage_region {
  explicit streamgage_region(streamgage::TrafficRegion opened)
      : region(std::move(opened)),
        source(region.source()),
        reason(region.why_not()),
        remedy(region.remedy()) {}

  streamgage::TrafficRegion region;
  std::string source;
  std::string reason;
  std::string remedy;
};

struct streamgage_sampler {
  streamgage::Sampler sampler;
};
