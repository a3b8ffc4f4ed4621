#include "program/counter_commands.hpp"

#include <unistd.h>

#include <memory>

#include "base/json_lines.hpp"
#include "measure/stop_signal.hpp"
#include "program/counter_survey.hpp"
#include "records/counters_record.hpp"
#include "streamgage/base/try.hpp"
#include "watch/pace.hpp"
#include "watch/traffic_watch.hpp"

namespace streamgage::engine {
namespace {

Json record_of(const CountersFound& found) { return to_record(found.survey, found.root); }

// A recording holds single counters: of another source it would say nothing.
bool is_recorded(const Survey& survey) {
  return survey.reports.front().state == SourceState::kAvailable;
}

Result<void> watch(CountersFound& found, std::chrono::nanoseconds interval, RecordSink& records) {
  std::unique_ptr<Pace> pace;
  if (found.survey.is_replayed) {
    pace = std::make_unique<RecordedPace>(found.recorded_readings);
  } else {
    watch_stop_signals();
    pace = std::make_unique<EvenPace>(interval);
  }
  // Read before anything is written, so that who waits for the first record starts after that.
  const Reading first = found.survey.source->read();
  STREAMGAGE_TRY(records.write(record_of(found)));
  const bool made_up = found.survey.is_replayed || found.root;
  return watch_traffic(*found.survey.source, first, *pace, records, made_up);
}

}  // namespace

Result<void> look_for_counters(const Options& options) {
  STREAMGAGE_TRY(const auto found, survey_counters(options));
  return JsonLines(STDOUT_FILENO).write(record_of(found));
}

Result<void> watch_traffic(const Options& options) {
  STREAMGAGE_TRY(const auto interval, interval_of(options.interval));
  STREAMGAGE_TRY(auto found, survey_counters(options));
  JsonLines records(STDOUT_FILENO);
  if (!found.survey.source) {
    STREAMGAGE_TRY(records.write(record_of(found)));
    return failure("there is no source of memory traffic here");
  }
  if (found.survey.is_replayed && !is_recorded(found.survey)) {
    return failure(
        "the recording does not match the machine's memory controllers: the only source is " +
        found.survey.source->name());
  }
  return watch(found, interval, records);
}

}  // namespace streamgage::engine
