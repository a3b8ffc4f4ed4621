// The commands that read the counters of memory traffic and measure nothing themselves.
#pragma once

#include "program/options.hpp"

namespace streamgage::engine {

// Prints the record "counters"; the exit status.
int look_for_counters(const Options& options);

// Prints the record "counters", and a record "interval" again and again; the exit status, which
// says a failure where there is no source, or where it tells nothing any more.
int watch_traffic(const Options& options);

}  // namespace streamgage::engine
