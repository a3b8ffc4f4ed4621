#include "measure/ending.hpp"

#include <csignal>

#include "base/json_lines.hpp"
#include "measure/process_stop.hpp"
#include "measure/stop_signal.hpp"

namespace streamgage::engine {

Step check_signals() {
  look_for_stops();
  if (const int signal = stop_signal(); signal != 0) {
    return tl::unexpected(Stop(signal));
  }
  return {};
}

Ending ending_of(const Step& last, bool is_invalid, const std::vector<KernelFailure>& failures) {
  if (!last) {
    const Stop& stop = last.error();
    return stop.error
               ? Ending{EndReason::kError, stop.error->message,
                        static_cast<int>(stop.error->status)}
               : Ending{stop.signal == SIGINT ? EndReason::kInterrupted : EndReason::kTerminated,
                        {},
                        128 + stop.signal};
  }
  if (!failures.empty()) {
    return {EndReason::kComplete, failures.front().message, static_cast<int>(ExitStatus::kFailed)};
  }
  if (is_invalid) {
    return {EndReason::kComplete,
            "the results are wrong: a kernel did not compute the expected values",
            static_cast<int>(ExitStatus::kFailed)};
  }
  return {};
}

nlohmann::ordered_json end_record(const Ending& ending, std::optional<StoppedBy> stopped_by,
                                  const Spent& spent, double seconds) {
  return to_json(
      record::End{.reason = ending.reason,
                  .message = ending.message ? std::optional(*ending.message + ".") : std::nullopt,
                  .exit_status = ending.exit_status,
                  .stopped_by = stopped_by,
                  .blocks = spent.blocks,
                  .seconds = seconds,
                  .touch_seconds = spent.touch_seconds,
                  .tuning_seconds = spent.tuning_seconds,
                  .kernel_seconds = spent.kernel_seconds,
                  .paused_seconds = stopped_seconds()});
}

RunEnd write_end(RecordSink& records, const Ending& ending, std::optional<StoppedBy> stopped_by,
                 const Spent& spent, double seconds) {
  const auto written = records.write(end_record(ending, stopped_by, spent, seconds));
  if (!written && !ending.message) {
    return {static_cast<int>(written.error().status), written.error().message};
  }
  return {ending.exit_status, ending.message};
}

}  // namespace streamgage::engine
