// One run on a device: from a plan to its records, which are those of a run on the processor.
#pragma once

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "devices/device.hpp"
#include "devices/measure/device_states.hpp"
#include "measure/outcome.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// What was asked for and what a device has, without a sample: kernels, their languages, types,
// sizes. An error where they do not go together.
Result<void> check_device_plan(const Plan& plan, Device& device);

// The outcome of a run, and how the device ran meanwhile.
struct DeviceOutcome : Outcome {
  DeviceStates states;
};

// Chooses the shapes if the plan asks for it, measures blocks of all variants in random order until
// the stopping rule or the budget ends them, checks every variant, and says how the run ended.
Result<DeviceOutcome> run_device_session(const Machine& machine, const Plan& plan, Device& device,
                                         RecordSink& sink);

}  // namespace streamgage::engine
