// The counters that a call of the program is to look for: this system's, or played back ones.
#pragma once

#include "measure/traffic/counting.hpp"
#include "program/options.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Surveys this system, or the one whose files lie in the options' folder; its counters are opened
// only if a recording of them is played back. It is an error if the recording cannot be read.
Result<CountersFound> survey_counters(const Options& options);

}  // namespace streamgage::engine
