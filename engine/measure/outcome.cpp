#include "measure/outcome.hpp"

#include <algorithm>
#include <utility>

#include "measure/process_stop.hpp"

namespace streamgage::engine {

Outcome close_run(RecordSink& sink, const RunEnd& end, const std::vector<Course>& courses) {
  const bool invalid = std::any_of(courses.begin(), courses.end(),
                                   [](const Course& course) { return course.valid == false; });
  look_for_stops();
  const Ending ending = ending_of(end.last, invalid, end.failures);
  const auto written = sink.write(end_record(ending, end.stopped_by, end.spent, end.seconds));
  Outcome outcome;
  outcome.exit_status = ending.exit_status;
  outcome.message = ending.message;
  if (!written && !outcome.message) {
    outcome.message = written.error().message;
    outcome.exit_status = static_cast<int>(written.error().status);
  }
  outcome.seconds = end.seconds;
  for (const Course& course : courses) {
    std::vector<double> seconds = course.samples.timed();
    for (double& sample : seconds) {
      sample /= static_cast<double>(course.passes);
    }
    outcome.variants.push_back({course.variant, std::move(seconds), course.valid});
  }
  return outcome;
}

}  // namespace streamgage::engine
