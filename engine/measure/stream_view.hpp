// What STREAM itself would print on this machine now: whole passes of plain loops over arrays with
// the system's default pages, by threads that are not bound; the best of ten without the first.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "kernels/variant.hpp"
#include "measure/ending.hpp"
#include "measure/setup.hpp"
#include "measure/workload.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/team/team.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// The arrays that STREAM has.
constexpr int kArraysOfStream = 3;

// The passes of one kernel, without the first.
struct StreamPasses {
  Variant variant;
  std::vector<double> seconds = {};
  std::vector<std::int64_t> switches = {};  // involuntary ones, of all threads together
};

// Passes of triad in pairs, by the quiet time of bound threads: over the run's own arrays, and over
// arrays with the system's default pages. Only the pages differ.
struct PagePairs {
  std::vector<double> own_seconds = {};
  std::vector<double> system_seconds = {};
};

struct StreamView {
  int threads = 0;
  ArraySize size = {};
  std::optional<double> huge_share = std::nullopt;  // of the first array
  std::vector<StreamPasses> kernels = {};           // copy, scale, add, triad
  std::optional<PagePairs> pairs = std::nullopt;    // none: memory had no room for both at once
};

// The passes that measure_stream_view() makes; it touches kArraysOfStream arrays twice.
constexpr int kPassesOfStreamView = 58;

struct StreamViewRequest {
  const Machine& machine;
  const Plan& plan;
  const Decision& decision;
  const Team& team;       // its threads get their CPUs back in the end
  Workload* own;          // what the run measures; nullptr: its arrays are not there
  int first_id;           // of variants, which nothing else has
  double budget_seconds;  // after which it is given up
  std::function<Step()> go_on;
};

// Measures it. Returns nothing if the time was up, or if the machine lacks one of the loops.
tl::expected<std::optional<StreamView>, Stop> measure_stream_view(const StreamViewRequest& request);

Json to_record(const StreamView& view, ElementType type);

}  // namespace streamgage::engine
