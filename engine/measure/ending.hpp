// The ending of a run, and its last record.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/json_lines.hpp"
#include "contract/course.hpp"
#include "kernels/own/kernel_failure.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/statistics/stopping_rule.hpp"

namespace streamgage::engine {

// Why a run ends early: a signal, or an error.
struct Stop {
  explicit Stop(int number) : signal(number) {}
  // Implicit, so that any Result passes its error on as a stop.
  Stop(Error why) : error(std::move(why)) {}  // NOLINT(google-explicit-constructor)

  int signal = 0;  // 0: an error
  std::optional<Error> error;
};

// The result of a step of a run: the run goes on, or the reason why it ends.
using Step = tl::expected<void, Stop>;

inline bool is_error(const Step& step) { return !step && step.error().error; }

// Ends the run if a signal asks for it. Also notices stops of the process between two calls.
Step check_signals();

using record::EndReason;

struct Ending {
  EndReason reason = EndReason::kComplete;
  std::optional<std::string> message;  // one sentence, where something failed
  int exit_status = 0;
};

// Returns the ending of a run with this last step. is_invalid: a result was wrong. `failures` are
// those of own kernels.
Ending ending_of(const Step& last, bool is_invalid,
                 const std::vector<KernelFailure>& failures = {});

// The seconds that the parts of a run took, and the number of its timed blocks.
struct Spent {
  double touch_seconds = 0.0;  // of all epochs
  double tuning_seconds = 0.0;
  double kernel_seconds = 0.0;
  int blocks = 0;
};

nlohmann::ordered_json end_record(const Ending& ending, std::optional<StoppedBy> stopped_by,
                                  const Spent& spent, double seconds);

// The end of a run, for its caller.
struct RunEnd {
  int exit_status = 0;
  std::optional<std::string> message;  // one sentence, where something failed
};

// Writes the record "end". If it cannot be written, the run has failed, if it had not before.
RunEnd write_end(RecordSink& records, const Ending& ending, std::optional<StoppedBy> stopped_by,
                 const Spent& spent, double seconds);

}  // namespace streamgage::engine
