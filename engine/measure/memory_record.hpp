// The record of the arrays: how large, why, and where their pages are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_lines.hpp"
#include "measure/workload.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/memory/array_size.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// The pages of one array; only some of them are examined.
struct ArrayPages {
  std::string name;
  std::optional<double> huge_share;
  std::uint64_t checked = 0;
  std::uint64_t remote = 0;  // not where they should be
  // The greatest power of two of which the array's address is a multiple. 0: not known.
  std::uint64_t alignment = 0;
};

struct PageSurvey {
  std::vector<ArrayPages> arrays;
  double touch_seconds = 0.0;
  std::optional<std::string> reason;  // why some pages could not be looked at
};

// Reads the pages back after the touch. They should be on `nodes`, or if that is empty, on the node
// of the thread that uses them.
PageSurvey survey_pages(const Machine& machine, const CpuList& nodes, const Workload& workload,
                        const Touch& touch);

// Returns the record. `nodes` are those to which memory is bound, if any.
Json memory_record(const PageSurvey& pages, const ArraySize& size, const SizeRequest& request,
                   const CpuList& nodes, int epoch);

}  // namespace streamgage::engine
