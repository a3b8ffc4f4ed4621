#include "program/counter_survey.hpp"

#include <utility>

#include "counters/source/perf_opener.hpp"
#include "topology/host/hypervisor.hpp"

namespace streamgage {

Result<std::unique_ptr<ReplayOpener>> read_recording(const Options& options) {
  if (options.recording.empty()) {
    return std::unique_ptr<ReplayOpener>();
  }
  return ReplayOpener::from_file(options.recording);
}

CountersFound survey_counters(const Options& options, ReplayOpener* recording) {
  SurveyRequest request;
  PerfOpener kernel;
  request.opener = recording;
  CountersFound found;
  if (options.root.empty()) {
    if (recording == nullptr) {
      request.opener = &kernel;
    }
    request.hypervisor = find_hypervisor(request.roots);
  } else {
    found.root = options.root;
    request.roots = {options.root + "/proc", options.root + "/sys"};
  }
  found.survey = survey_sources(request);
  return found;
}

Result<CountersFound> survey_counters(const Options& options) {
  const auto recording = read_recording(options);
  if (!recording) {
    return tl::unexpected<Error>(recording.error());
  }
  return survey_counters(options, recording->get());
}

}  // namespace streamgage
