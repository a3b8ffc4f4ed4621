// A run on a device that measures copies from and to the host or another device, in place of
// kernels.
#pragma once

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "devices/device.hpp"
#include "measure/outcome.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// Measures the copies of a device, in place of kernels: with the host, or with `peer` where it is
// not null. An error says why the device or the plan does not allow it.
Result<Outcome> run_device_copies_session(const Machine& machine, const Plan& plan, Device& device,
                                          Device* peer, RecordSink& sink);

}  // namespace streamgage::engine
