#include "program/counter_commands.hpp"

#include <unistd.h>

#include <memory>
#include <optional>
#include <utility>

#include "base/json_lines.hpp"
#include "counters/source/perf_opener.hpp"
#include "counters/source/replay_opener.hpp"
#include "counters/survey.hpp"
#include "measure/stop_signal.hpp"
#include "topology/host/hypervisor.hpp"
#include "watch/pace.hpp"
#include "watch/traffic_watch.hpp"

namespace streamgage {
namespace {

// What was found, and what has to live as long.
struct Found {
  std::unique_ptr<CounterOpener> kernel;
  std::unique_ptr<ReplayOpener> replay;
  Survey survey;
};

// Of this system, or of one whose files lie in the folder `root`; its counters are then opened only
// where a recording of them is played back.
Result<Found> survey_for(const Options& options) {
  Found found;
  SurveyRequest request;
  if (!options.recording.empty()) {
    auto read = ReplayOpener::from_file(options.recording);
    if (!read) {
      return tl::unexpected(read.error());
    }
    found.replay = std::move(*read);
    request.opener = found.replay.get();
  }
  if (options.root.empty()) {
    if (!found.replay) {
      found.kernel = std::make_unique<PerfOpener>();
      request.opener = found.kernel.get();
    }
    request.hypervisor = find_hypervisor(request.roots);
  } else {
    request.roots = {options.root + "/proc", options.root + "/sys"};
  }
  found.survey = survey_sources(request);
  return found;
}

Json record_of(const Found& found, const Options& options) {
  return to_record(found.survey, options.root.empty() ? std::nullopt : std::optional(options.root));
}

// A recording holds single counters: of another source it would tell nothing.
bool is_recorded(const Survey& survey) {
  return survey.reports.front().state == SourceState::kAvailable;
}

int done(const Result<void>& outcome) { return outcome ? 0 : complain(outcome.error()); }

Result<void> watch(Found& found, const Options& options, std::chrono::nanoseconds interval,
                   RecordSink& records) {
  std::unique_ptr<Pace> pace;
  if (found.replay) {
    pace = std::make_unique<RecordedPace>(found.replay->readings());
  } else {
    watch_stop_signals();
    pace = std::make_unique<EvenPace>(interval);
  }
  // Read before anything is told, so that who waits for the first record starts after that.
  const Reading first = found.survey.source->read();
  if (auto written = records.write(record_of(found, options)); !written) {
    return written;
  }
  const bool made_up = found.replay || !options.root.empty();
  return watch_traffic(*found.survey.source, first, *pace, records, made_up);
}

}  // namespace

int look_for_counters(const Options& options) {
  const auto found = survey_for(options);
  return found ? done(JsonLines(STDOUT_FILENO).write(record_of(*found, options)))
               : complain(found.error());
}

int watch_traffic(const Options& options) {
  const auto interval = interval_of(options.interval);
  if (!interval) {
    return complain(interval.error());
  }
  auto found = survey_for(options);
  if (!found) {
    return complain(found.error());
  }
  JsonLines records(STDOUT_FILENO);
  if (!found->survey.source) {
    const auto written = records.write(record_of(*found, options));
    return done(written ? failure("there is no source of memory traffic here") : written);
  }
  if (found->replay && !is_recorded(found->survey)) {
    return complain(
        {"the recording is not one of the machine's memory controllers: the only "
         "source is " +
         found->survey.source->name()});
  }
  return done(watch(*found, options, *interval, records));
}

}  // namespace streamgage
