// How a run ends, and its last record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "kernels/own/kernel_failure.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/statistics/stopping_rule.hpp"

namespace streamgage {

// Ends a run early; thrown nowhere, returned everywhere.
struct Stop {
  int signal = 0;  // 0: an error
  std::optional<Error> error;
};

struct Ending {
  const char* reason = "complete";
  std::optional<std::string> message;  // one sentence, where something failed
  int exit_status = 0;
};

// Of a run that was stopped so, or came to its end; is_invalid: a result was wrong; `failures`: of
// own kernels.
Ending ending_of(const std::optional<Stop>& stop, bool is_invalid,
                 const std::vector<KernelFailure>& failures = {});

// Seconds that went into the parts of a run, and its timed blocks.
struct Spent {
  double touch_seconds = 0.0;  // of all epochs
  double tuning_seconds = 0.0;
  double kernel_seconds = 0.0;
  int blocks = 0;
};

nlohmann::ordered_json end_record(const Ending& ending, std::optional<StoppedBy> stopped_by,
                                  const Spent& spent, double seconds);

}  // namespace streamgage
