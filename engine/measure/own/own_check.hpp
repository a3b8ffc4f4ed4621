// The checks that a user's kernel passes before it is measured.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "base/json_lines.hpp"
#include "kernels/own/own_kernel.hpp"
#include "measure/own/own_arrays.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {

struct OwnCheckRequest {
  double timeout_seconds = 60.0;  // of a call of the kernel
  // Also checks with this number of iterations, with inaccessible pages before and then behind
  // every array. Nothing: only checks with few iterations.
  std::optional<std::int64_t> iterations;
  PageSize pages = PageSize::kSmall;
  CpuList nodes = {};
  std::uint64_t free_bytes = std::numeric_limits<std::uint64_t>::max();  // of memory
};

// The results of the checks of a kernel.
struct OwnCheck {
  std::int64_t iterations = 0;  // of its largest run
  std::vector<std::string_view> checked;
  std::optional<KernelFailure> failure;  // the first
};

// Checks the kernel on arrays of a few pages. Where possible it runs on this thread, where a crash
// can be survived. It is an error if memory is not available.
Result<OwnCheck> check_own_kernel(const OwnKernel& kernel, const Team& team,
                                  const OwnCheckRequest& request);

Json to_record(const OwnKernel& kernel, const OwnCheck& check);

}  // namespace streamgage::engine
