// Runs one user's kernel: holds its arrays, and divides its iterations among the threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/own/own_kernel.hpp"
#include "measure/own/own_arrays.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {

struct OwnRun {
  Timing timing;
  std::optional<KernelFailure> failure;  // something was written outside the arrays
};

struct OwnValidation {
  Timing timing;
  std::optional<std::int64_t> wrong;  // iterations; none without a check of the kernel's own
  std::optional<KernelFailure> failure;
};

class OwnWorkload {
 public:
  // Reserves the arrays. Nothing is touched yet.
  static Result<OwnWorkload> reserve(SharedOwnKernel kernel, std::int64_t iterations, int threads,
                                     const OwnMemory& memory, double timeout_seconds);

  // Lets every thread write its part of every array for the first time, or fills all of it again.
  // From here on the kernel's own code runs: if it crashes, the process ends.
  void fill(const Team& team);

  // Frees the arrays and reserves others in their place; call fill() next.
  Result<void> renew();

  // Fills the arrays again if so many more passes would make the values too small or too large, as
  // in a kernel that changes what it reads.
  void make_ready(const Team& team, std::int64_t passes);

  // Makes one timed run of `passes`. `region`: its name for LIKWID's markers.
  OwnRun run(const Team& team, double s, std::int64_t passes, const std::string& region);

  // Fills the arrays again, makes one pass, and runs the kernel's own check.
  OwnValidation run_and_check(const Team& team, double s, const std::string& region);

  [[nodiscard]] const OwnKernel& kernel() const { return *kernel_; }
  [[nodiscard]] const OwnArrays& arrays() const { return arrays_; }
  [[nodiscard]] const std::vector<Range>& parts() const { return parts_; }

 private:
  OwnWorkload(SharedOwnKernel kernel, OwnArrays arrays, std::vector<Range> parts, OwnMemory memory,
              double timeout_seconds);

  [[nodiscard]] std::optional<KernelFailure> damage() const;

  SharedOwnKernel kernel_;
  OwnArrays arrays_;
  std::vector<Range> parts_;
  OwnMemory memory_;
  double timeout_seconds_;
  std::int64_t passes_ = 0;  // since the arrays were filled
};

}  // namespace streamgage::engine
