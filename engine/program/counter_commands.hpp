// The commands that read the counters of memory traffic and measure nothing themselves.
#pragma once

#include "program/options.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Prints the record "counters".
Result<void> look_for_counters(const Options& options);

// Prints the record "counters", and a record "interval" again and again. The error is for a system
// that has no source, or for one whose counters have all died.
Result<void> watch_traffic(const Options& options);

}  // namespace streamgage::engine
