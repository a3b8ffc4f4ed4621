// The counters that a call of the program is to look for: this system's, or played back ones.
#pragma once

#include <memory>

#include "base/error.hpp"
#include "counters/source/replay_opener.hpp"
#include "measure/traffic/counting.hpp"
#include "program/options.hpp"

namespace streamgage {

// The recording that the options name; null where they name none, an error where it cannot be read.
Result<std::unique_ptr<ReplayOpener>> read_recording(const Options& options);

// Of this system, or of one whose files lie in the options' folder; its counters are then opened
// only where a recording of them, if not null, is played back.
CountersFound survey_counters(const Options& options, ReplayOpener* recording);

// With the recording that the options name.
Result<CountersFound> survey_counters(const Options& options);

}  // namespace streamgage
