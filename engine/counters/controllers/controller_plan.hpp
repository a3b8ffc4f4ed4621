// The counters of this machine's memory controllers, before any of them is opened.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "counters/controllers/controller_table.hpp"
#include "counters/controllers/memory_domain.hpp"
#include "counters/pmu/event_format.hpp"
#include "topology/machine.hpp"

namespace streamgage {

// What a counter counts.
struct Counter {
  std::string name;  // "uncore_imc_0/cas_count_read/" on which CPU
  MemoryDomain domain;
  Direction direction = Direction::kBoth;
  double bytes_per_count = 0.0;
  int bits = 64;
};

// What opens it.
struct CounterRequest {
  std::string pmu;
  std::string event;  // its alias, or its terms
  std::string terms;
  std::uint32_t type = 0;
  ConfigWords words{};
  int cpu = 0;
};

struct PlannedCounter {
  Counter counter;
  CounterRequest request;
};

struct ControllerPlan {
  const ControllerRow* row = nullptr;  // null where the table has none for this processor
  std::vector<PlannedCounter> counters;
  // A sentence for every PMU that should have been counted and cannot be, by its name. Where there
  // is any, `counters` is no complete set, and its sum no traffic.
  std::vector<std::string> rejected;
  // PMUs that look like a memory controller's and are not counted, and why.
  std::vector<std::string> passed_over;
};

// By the processor that the files under `roots` describe. With neither counters nor rejected PMUs
// there is no memory controller PMU.
ControllerPlan plan_controllers(const FileRoots& roots);

}  // namespace streamgage
