// A request to measure this node, which a person makes without a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/plan.hpp"
#include "devices/device.hpp"
#include "node/check.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

struct NodeRequest {
  std::string device;             // the name of one or several; empty: the processor
  std::optional<double> seconds;  // none: 10, or what a check takes
  std::vector<std::string> kernels{"sum", "copy", "scale", "add", "triad"};
  std::vector<std::string> stores{"plain", "streaming"};  // each kernel has those that it can
  std::optional<int> threads;                             // none: one a core
  std::string cpus;  // a placement expression; empty: one thread a core; "none": not bound
  std::optional<std::uint64_t> array_bytes;  // none: by STREAM's 4x rule
  bool as_json = false;                      // one line in place of the table
  bool pieces = false;                       // with as_json: in frames
  bool check = false;    // as long as a check does, and one that waits for no other measurement
  bool glance = false;   // with check: the short one
  double spent = 0.0;    // with check: seconds of it that are gone
  bool examine = false;  // each NUMA domain and core by itself, too
  std::vector<std::string> expected;  // with check: what the node should reach, as it was written
};

// The most figures for which a line of JSON has room.
constexpr std::size_t kMostFiguresOfLine = 16;

// Refuses a value that makes no sense on any machine.
Result<void> check_request(const NodeRequest& request);

// Returns what to measure on the processor, or on a device; an error if a value makes no sense, or
// if a line could not hold the result.
Result<Plan> plan_of(const NodeRequest& request);
Result<Plan> plan_of_device(const NodeRequest& request, Device& device);

const CheckLength& length_of(const NodeRequest& request);

}  // namespace streamgage::engine
