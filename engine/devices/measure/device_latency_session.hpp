// A run by a latency plan on a device: the latency of its caches and of its memory.
#pragma once

#include "base/json_lines.hpp"
#include "base/latency_plan.hpp"
#include "devices/device.hpp"
#include "measure/ending.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// Records: machine, latency-plan, device and its clock; in each round, in random order, "latency"
// of every working set; and end. As with run_latency_session(), an error before the first record is
// returned.
Result<RunEnd> run_device_latency_session(const Machine& machine, const LatencyPlan& plan,
                                          Device& device, RecordSink& sink);

}  // namespace streamgage::engine
