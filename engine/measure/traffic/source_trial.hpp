// Tries a source of traffic on kernels of known traffic before any of its figures is used.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "kernels/variant.hpp"
#include "measure/traffic/idle_baseline.hpp"
#include "streamgage/counters/calibration.hpp"
#include "streamgage/counters/source/traffic_source.hpp"

namespace streamgage::engine {

// Runs a kernel over all of its arrays so many times (odd), and says how many seconds it took.
using RunKernel = std::function<double(const Variant& variant, std::int64_t passes)>;

struct TrialRequest {
  std::vector<Variant> variants;  // of known traffic
  std::uint64_t array_bytes = 0;
  std::optional<double> peak;  // bytes per second
  bool is_replayed = false;
  // The least seconds of the idle machine, and of each kernel. Counters are read one after the
  // other, which takes some 100 microseconds with dozens of controllers, less than 0.3 % of this.
  // With a recording there is no wait, because it shows the same however long it is played.
  double idle_seconds = 0.3;
  double least_seconds = 0.05;
};

struct SourceTrial {
  std::string source;
  bool is_replayed = false;
  double idle_seconds = 0.0;
  Calibration calibration;
  std::vector<CalibrationRun> runs;  // as the outcomes of the calibration
  IdleBaseline baseline;             // where the source is accepted
};

// Returns sum, which only reads; update, which reads what it writes; and init with streaming
// stores, which only writes. Leaves out those that the ISA has no code for, or that need more
// arrays.
std::vector<Variant> variants_of_known_traffic(const Plan& plan, int arrays);

// Counts the idle machine, then each kernel. Every kernel has run before, so it leaves in the
// caches what it found there. A kernel whose count is not as expected runs twice more, and the
// median counts: a burst of another program does not reject a source.
SourceTrial try_source(TrafficSource& source, const TrialRequest& request, const RunKernel& run);

// Returns the trial of a source that was not tried, with the reason.
SourceTrial untried(const TrafficSource& source, bool is_replayed, std::string reason);

nlohmann::ordered_json to_record(const SourceTrial& trial);

}  // namespace streamgage::engine
