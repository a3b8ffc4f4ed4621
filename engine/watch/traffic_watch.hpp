// Watches the memory traffic, interval by interval.
#pragma once

#include "base/json_lines.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/counters/source/traffic_source.hpp"
#include "watch/pace.hpp"

namespace streamgage::engine {

// Writes a record "interval" for every reading that `pace` asks for after `first`, until it is
// over. It is an error if every domain has a counter that died: the interval in which that happened
// is still written, with null figures. If a counter did not run in an interval, because others used
// the hardware's counters, the interval is reported together with the next; at the end, or after
// ten of them, its figures are null. `is_replayed`: the numbers are not this system's.
Result<void> watch_traffic(TrafficSource& source, const Reading& first, Pace& pace,
                           RecordSink& records, bool is_replayed);

}  // namespace streamgage::engine
