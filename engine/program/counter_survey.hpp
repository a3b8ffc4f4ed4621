// The counters that a call of the program is to look for: this system's, or played back ones.
#pragma once

#include "measure/traffic/counting.hpp"
#include "program/options.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Of this system, or of one whose files lie in the options' folder; its counters are then opened
// only where a recording of them is played back. The error is for one that cannot be read.
Result<CountersFound> survey_counters(const Options& options);

}  // namespace streamgage::engine
