// The result of a node by the engine alone, from which table and line are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/plan.hpp"
#include "devices/device.hpp"
#include "devices/measure/device_states.hpp"
#include "measure/outcome.hpp"
#include "node/expected_rate.hpp"
#include "node/parts.hpp"
#include "streamgage/statistics/summary.hpp"
#include "streamgage/topology/host/host.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// The rate of a kernel with a store mode, in bytes per second.
struct Figure {
  Variant variant;
  std::size_t nominal_bytes = 0;  // an iteration moves, by STREAM's counting
  Summary rate;
  std::optional<bool> valid;    // nothing where the run ended before the check
  std::vector<double> samples;  // each rate, in the order measured
  // Every sample was disturbed: the rate is too low, and has no interval.
  bool is_disturbed = false;
};

// A warning that a reader must know before using the figures.
struct Warning {
  std::string code;  // of the finding of that name, which `streamgage explain` has more of
  std::string text;  // sentences
  // A few words, if the run says nothing about the node because of this; else empty.
  std::optional<std::string> disturbance;
};

// A device that was measured in place of the processor, and how it ran.
struct MeasuredDevice {
  DeviceFacts facts;
  DeviceStates states;
};

struct NodeResult {
  const Machine& machine;
  ElementType type;
  int threads = 0;
  double seconds = 0.0;
  Circumstances circumstances;
  std::vector<Figure> figures;  // those with a sample
  std::vector<Variant> disturbed;
  std::vector<Warning> warnings;
  Firmware firmware;
  std::optional<double> check_seconds;      // by when a second run must end; of a check alone
  std::vector<ExpectedRate> expected = {};  // of a check alone
  PartRates parts = {};                     // of an examination alone
  std::optional<MeasuredDevice> device = std::nullopt;
};

// Returns the rate of a run of one figure, if nothing disturbed it and every element was right.
std::optional<double> rate_of_part(const NodeResult& result);

NodeResult node_result(const Machine& machine, const Plan& plan, const Outcome& outcome,
                       std::optional<MeasuredDevice> device = std::nullopt);

}  // namespace streamgage::engine
