// Which sources of traffic this system has, and for those that it has not, why.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "streamgage/counters/source/counter_opener.hpp"
#include "streamgage/counters/source/traffic_source.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// What can be said of a source. kAvailable: it opens and reads; whether it is right shows a
// calibration.
enum class SourceState { kAvailable, kRejected, kAbsent };

// One source, and why it is not available where it is not.
struct SourceReport {
  std::string name;
  SourceState state = SourceState::kAbsent;
  std::string reason;                  // why it is not available
  std::string remedy;                  // what would change that; empty where nothing is known
  std::vector<std::string> notes;      // what else there is to know
  std::optional<std::string> machine;  // the row of the table
  bool is_total_only = false;
  std::vector<PlannedCounter> counters;
};

// Where to look.
struct SurveyRequest {
  FileRoots roots;
  // Opens the counters; null where the files under `roots` are not this system's.
  CounterOpener* opener = nullptr;
  std::optional<std::string> hypervisor;
};

// What was found.
struct Survey {
  std::vector<SourceReport> reports;      // in order of preference
  std::unique_ptr<TrafficSource> source;  // the first available, open; null where there is none
  std::optional<std::string> hypervisor;
  std::optional<int> paranoid_level;
  bool is_replayed = false;
};

// Looks at every source in order of preference and opens the first that is available. Takes some
// milliseconds; the opener may be destroyed afterwards.
Survey survey_sources(const SurveyRequest& request);

}  // namespace streamgage
