#include "program/counter_survey.hpp"

#include <memory>
#include <utility>

#include "streamgage/base/try.hpp"
#include "streamgage/counters/source/perf_opener.hpp"
#include "streamgage/counters/source/replay_opener.hpp"
#include "streamgage/topology/host/hypervisor.hpp"

namespace streamgage::engine {

Result<CountersFound> survey_counters(const Options& options) {
  SurveyRequest request;
  PerfOpener kernel;
  std::unique_ptr<ReplayOpener> replay;
  if (!options.recording.empty()) {
    STREAMGAGE_TRY(auto read, ReplayOpener::from_file(options.recording));
    replay = std::move(read);
    request.opener = replay.get();
  }
  CountersFound found;
  found.recorded_readings = replay ? replay->readings() : 0;
  if (options.root.empty()) {
    request.opener = replay ? request.opener : &kernel;
    request.hypervisor = find_hypervisor(request.roots).value_or(std::nullopt);
  } else {
    found.root = options.root;
    request.roots = {options.root + "/proc", options.root + "/sys"};
  }
  found.survey = survey_sources(request);
  return found;
}

}  // namespace streamgage::engine
