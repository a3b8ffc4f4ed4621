// Counters of a run: finds and tries them, and reads them around the timed samples.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "measure/setup.hpp"
#include "measure/traffic/traffic_meter.hpp"
#include "measure/workload.hpp"
#include "streamgage/counters/survey.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {

// The counters that were found on this system, or in the folder `root`.
struct CountersFound {
  Survey survey;
  std::optional<std::string> root;
  std::size_t recorded_readings = 0;  // that the recording holds, where one is played back
};

class Counting {
 public:
  // Counts nothing if `found` is empty.
  explicit Counting(std::optional<CountersFound> found) : found_(std::move(found)) {}

  // Returns the record of the survey. Null if there was none.
  [[nodiscard]] nlohmann::ordered_json survey_record() const;

  // Tries the source on the arrays, and restores them. Returns the record of the trial; null if
  // there is no source.
  nlohmann::ordered_json calibrate(const Plan& plan, const Decision& decision, const Team& team,
                                   Workload& workload);

  // Returns whether a source was accepted.
  [[nodiscard]] bool is_counting() const { return meter_.has_value(); }

  // Runs a sample with the counters read before and after.
  RunOutcome run(const Team& team, Workload& workload, const Variant& variant, std::int64_t passes);

  // Notes that the last sample was a timed one. Returns the record of traffic that it completes,
  // else null.
  nlohmann::ordered_json take(const Variant& variant, int block, std::int64_t passes);

 private:
  std::optional<CountersFound> found_;
  std::optional<TrafficMeter> meter_;
};

}  // namespace streamgage::engine
