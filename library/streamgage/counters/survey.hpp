// The sources of traffic of this system, and why others are not available.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "streamgage/counters/source/counter_opener.hpp"
#include "streamgage/counters/source/traffic_source.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// The state of a source. kAvailable: it opens and reads; a calibration shows whether it is right.
enum class SourceState { kAvailable, kRejected, kAbsent };

// One source, and why it is not available, if so.
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

// The folders to look in.
struct SurveyRequest {
  FileRoots roots;
  // Opens the counters; null if the files under `roots` are not this system's.
  CounterOpener* opener = nullptr;
  std::optional<std::string> hypervisor;
};

// The result of a survey.
struct Survey {
  std::vector<SourceReport> reports;      // in order of preference
  std::unique_ptr<TrafficSource> source;  // the first available, open; null where there is none
  std::optional<std::string> hypervisor;
  std::optional<int> paranoid_level;
  bool is_replayed = false;
};

// Tries every source in order of preference and opens the first that is available. Takes some
// milliseconds; the opener may be destroyed afterwards.
Survey survey_sources(const SurveyRequest& request);

}  // namespace streamgage
