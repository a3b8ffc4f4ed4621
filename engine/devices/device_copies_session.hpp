// A run on a device that measures copies from and to the host, in place of kernels.
#pragma once

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "devices/device.hpp"
#include "measure/outcome.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// Records as of run_device_session(): each copy is a variant. An error before the first record is
// returned.
Result<Outcome> run_device_copies_session(const Machine& machine, const Plan& plan, Device& device,
                                          RecordSink& sink);

}  // namespace streamgage::engine
