// The arrays on a device: filled there, run through kernels, and read back to be checked here,
// element by element, against what they must hold.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "devices/device.hpp"
#include "devices/measure/device_shape.hpp"
#include "kernels/variant.hpp"
#include "measure/expectation.hpp"
#include "measure/workload.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

struct DeviceRun {
  LaunchTimes times;
  bool spot_check_passed = true;
  double value = 0.0;  // of a reduction
};

// Where the passes of a run are: a launch each, as in most programs, or all in one launch, where
// data that fit into a cache are not fetched again and a launch costs little.
enum class Passes { kLaunches, kInside };

class DeviceWorkload {
 public:
  // `elements`: a multiple of those of the widest vector.
  DeviceWorkload(Device& device, ElementType type, std::int64_t elements, int arrays,
                 Passes passes = Passes::kLaunches)
      : device_(device),
        type_(type),
        elements_(elements),
        wanted_(arrays),
        passes_(passes),
        expectation_(type) {}

  // Allocates the arrays, those before given back first, and fills them. Seconds of the filling.
  Result<double> renew();

  // One run of `passes` (odd) passes over whole arrays. A reduction's value is compared, and some
  // elements of a.
  Result<DeviceRun> run(const Variant& variant, const DeviceShape& shape, std::int64_t passes);

  // One launch over part number `window` of `windows`; restore() before anything is compared again.
  Result<LaunchTimes> run_window(const Variant& variant, const DeviceShape& shape,
                                 std::int64_t window, std::int64_t windows);

  // Fills a with its first pattern.
  Result<void> restore();

  // A run after which every element of a is compared, or a reduction's value.
  Result<Check> run_and_check(const Variant& variant, const DeviceShape& shape, LaunchTimes& times);

  // Whether it computes what it must on the first elements of the arrays, with groups that have
  // several parts of them where the shape has a number of groups. restore() before anything else is
  // compared.
  Result<bool> is_right_in_part(const Variant& variant, const DeviceShape& shape);

  // Every element of one array, 0 (a) to arrays() - 1.
  Result<Check> check_array(int number);

  // Work-items that a group of that kernel may have in that shape. It is compiled for that.
  Result<std::uint64_t> most_group_items(const Variant& variant, const DeviceShape& shape);

  // A launch that does nothing but start and end.
  Result<LaunchTimes> launch_nothing();

  [[nodiscard]] int arrays() const { return static_cast<int>(arrays_.size()); }

 private:
  Result<LaunchTimes> launch(const Variant& variant, const DeviceShape& shape, double s,
                             std::int64_t first, std::int64_t count, std::int64_t passes,
                             std::uint64_t* groups);
  Result<DeviceKernel*> kernel_of(const Variant& variant, const DeviceShape& shape);
  Result<void> fill(int number, const std::vector<double>& pattern, std::int64_t elements);
  Result<double> sum_of(std::uint64_t groups);
  Result<Check> run_and_check_first(const Variant& variant, const DeviceShape& shape,
                                    std::int64_t elements, LaunchTimes& times);
  Result<Check> check_first(int number, std::int64_t elements);
  // Where arrays are read back, part by part: pinned memory where the driver gives it, which is
  // several times as fast.
  std::span<std::byte> piece();
  Result<bool> spot_check();
  double take_scalar(const Variant& variant);
  [[nodiscard]] const DeviceMemory* array(int number) const;
  [[nodiscard]] std::uint64_t element_bytes() const { return size_of(type_); }

  Device& device_;
  ElementType type_;
  std::int64_t elements_;
  int wanted_;
  Passes passes_;
  Expectation expectation_;
  std::vector<std::unique_ptr<DeviceMemory>> arrays_;
  std::unique_ptr<DeviceMemory> pattern_;
  std::unique_ptr<DeviceMemory> sums_;
  std::uint64_t sums_length_ = 0;
  std::unique_ptr<PinnedMemory> pinned_;
  std::vector<std::byte> pageable_;
  std::span<std::byte> piece_;  // one of these two
  std::unique_ptr<DeviceKernel> filler_;
  LaunchTimes last_fill_;
  std::map<std::tuple<KernelId, int, int, CacheHint, bool>, std::unique_ptr<DeviceKernel>> kernels_;
  std::vector<std::int64_t> runs_;  // by variant id
};

}  // namespace streamgage::engine
