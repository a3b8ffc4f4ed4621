// One user's kernel at work on a device: its arrays there, its runs, and what is checked.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json_lines.hpp"
#include "devices/device.hpp"
#include "devices/measure/device_own_kernel.hpp"
#include "kernels/own/kernel_failure.hpp"
#include "kernels/own/kernel_guard.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

struct DeviceOwnRun {
  LaunchTimes times;
  std::optional<std::int64_t> wrong;  // iterations, where its own check ran
  std::optional<KernelFailure> failure;
};

class DeviceOwnWorkload {
 public:
  // `iterations`: as fit_iterations() gives them. Launches may take `timeout_seconds`.
  DeviceOwnWorkload(Device& device, DeviceOwnKernel kernel, std::int64_t iterations,
                    double timeout_seconds);

  // Iterations are whole numbers of these: groups of any size up to it.
  static constexpr std::int64_t kGrain = 256;

  // The most iterations up to `most` that whole groups do; 0 if there are none.
  static std::int64_t fit_iterations(std::int64_t most);

  // Compiles it; a failure has the compiler's first error.
  Result<std::optional<KernelFailure>> build();

  // Allocates its arrays, those before given back first, and fills them. build() comes before.
  Result<std::optional<KernelFailure>> renew();

  // One run of so many passes, a launch each.
  Result<DeviceOwnRun> run(double s, std::int64_t passes);

  // Fills the arrays again, makes one pass, and runs the kernel's own check, if it has one.
  Result<DeviceOwnRun> run_and_check(double s);

  // The checks before the first sample, each of which is named in `checked`.
  Result<std::optional<KernelFailure>> check(std::vector<std::string>& checked);

  [[nodiscard]] const OwnKernel& facts() const { return *kernel_.facts; }
  [[nodiscard]] std::int64_t iterations() const { return iterations_; }

 private:
  using Bytes = std::vector<std::byte>;

  Result<std::optional<KernelFailure>> fill();
  Result<void> fill_plainly(std::size_t number);
  // What the launch of one of its kernels took, or why it failed.
  tl::expected<LaunchTimes, KernelFailure> launch(DeviceKernel& function, double s,
                                                  std::uint64_t items, std::int64_t passes,
                                                  const DeviceMemory* wrong = nullptr);
  Result<std::optional<KernelFailure>> damage();
  // The number of the element outside of the array that was written; nothing if none was.
  Result<std::optional<std::int64_t>> written_outside(std::size_t number);
  Result<std::vector<Bytes>> contents();
  [[nodiscard]] std::uint64_t usual_items() const;
  [[nodiscard]] KernelFailure fail(FailureReason reason, const std::string& what) const;

  Device& device_;
  DeviceOwnKernel kernel_;
  std::int64_t iterations_;
  ElementType scalar_;
  WatchedKernel watched_;
  // An array between two guards, to see what is written before it and behind it.
  struct GuardedArray {
    std::unique_ptr<DeviceMemory> whole;
    std::unique_ptr<DeviceMemory> array;
  };

  std::vector<GuardedArray> arrays_;
  std::unique_ptr<DeviceMemory> pattern_;
  std::unique_ptr<DeviceMemory> wrong_;
  std::unique_ptr<DeviceKernel> run_;
  std::unique_ptr<DeviceKernel> fill_;
  std::unique_ptr<DeviceKernel> check_;
  std::unique_ptr<DeviceKernel> fill_double_;
  std::unique_ptr<DeviceKernel> fill_float_;
  std::int64_t passes_ = 0;  // since the arrays were filled
};

}  // namespace streamgage::engine
