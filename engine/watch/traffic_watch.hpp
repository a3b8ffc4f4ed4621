// What crosses the memory bus, interval by interval.
#pragma once

#include "base/json_lines.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/counters/source/traffic_source.hpp"
#include "watch/pace.hpp"

namespace streamgage::engine {

// Writes a record "interval" for every reading that `pace` asks for after `first`, until it is over
// or every domain has a counter that died, which is an error: the interval in which that happened
// is still written, its figures null. One in which a counter did not run, because others had the
// hardware's counters, is reported together with the next; at the end, or after ten of them, its
// figures are null. `is_replayed`: the numbers are not this system's.
Result<void> watch_traffic(TrafficSource& source, const Reading& first, Pace& pace,
                           RecordSink& records, bool is_replayed);

}  // namespace streamgage::engine
