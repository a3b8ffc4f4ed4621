// The counters of this machine's memory controllers, before any of them is opened.
#pragma once

#include <string>
#include <vector>

#include "streamgage/counters/controllers/controller_table.hpp"
#include "streamgage/counters/counter.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// The counters to open.
struct ControllerPlan {
  const ControllerRow* row = nullptr;  // null where the table has none for this processor
  std::vector<PlannedCounter> counters;
  // A sentence for every PMU that should have been counted and cannot be, by its name. Where there
  // is any, `counters` is no complete set, and its sum no traffic.
  std::vector<std::string> rejected;
  // PMUs that look like a memory controller's and are not counted, and why.
  std::vector<std::string> passed_over;
};

// Plans the counters of the processor that the files under `roots` describe. With neither counters
// nor rejected PMUs there is no memory controller PMU.
ControllerPlan plan_controllers(const FileRoots& roots);

}  // namespace streamgage
