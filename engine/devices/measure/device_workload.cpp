#include "devices/measure/device_workload.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "devices/device_source.hpp"
#include "measure/pattern_elements.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

// No kernel makes this value; see Workload.
constexpr double kDevicePoison = 4096.0;
// What is read back at a time.
constexpr std::uint64_t kPieceBytes = 16 * kMiB;
constexpr Grid kFillGrid{1024, 64};
// Of a part that is compared: whole vectors of any width, and no whole number of the larger tiles.
constexpr std::int64_t kElementsOfPart = (1 << 18) + 16;
constexpr int kGroupsOfPart = 7;

template <class T>
std::span<std::byte> bytes_of(std::vector<T>& values) {
  return std::as_writable_bytes(std::span<T>(values));
}

// Calls `work` with a zero of the element type.
template <class Work>
auto as_type(ElementType type, Work&& work) {
  return type == ElementType::kDouble ? work(double{}) : work(float{});
}

// Compares elements from number `first` on; one that is not a number differs.
template <class T>
void compare(std::span<const T> found, std::int64_t first, const std::vector<T>& pattern,
             Check& check) {
  auto place = static_cast<std::size_t>(first % Expectation::kPeriod);
  for (std::size_t number = 0; number < found.size(); ++number) {
    if (!(found[number] == pattern[place])) {
      if (check.wrong++ == 0) {
        check.first_wrong = first + static_cast<std::int64_t>(number);
        check.expected = static_cast<double>(pattern[place]);
        check.found = static_cast<double>(found[number]);
      }
    }
    place = place + 1 == pattern.size() ? 0 : place + 1;
  }
  check.checked += static_cast<std::int64_t>(found.size());
}

Check check_of_value(double found, double expected) {
  Check check;
  check.checked = 1;
  check.expected = expected;
  check.found = found;
  check.wrong = found == expected ? 0 : 1;
  return check;
}

}  // namespace

const DeviceMemory* DeviceWorkload::array(int number) const {
  return number < arrays() ? arrays_[static_cast<std::size_t>(number)].get() : nullptr;
}

Result<double> DeviceWorkload::renew() {
  arrays_.clear();  // all of them first: memory may not hold two sets
  while (arrays() < wanted_) {
    STREAMGAGE_TRY(auto memory,
                   device_.allocate(static_cast<std::uint64_t>(elements_) * element_bytes()));
    arrays_.push_back(std::move(memory));
  }
  expectation_.reset();
  double seconds = 0.0;
  for (int number = 0; number < arrays(); ++number) {
    STREAMGAGE_TRY(fill(number, expectation_.pattern(number), elements_));
    seconds += last_fill_.host_seconds;
  }
  return seconds;
}

Result<LaunchTimes> DeviceWorkload::launch_nothing() {
  STREAMGAGE_TRY(fill(0, expectation_.pattern(0), 0));
  return last_fill_;
}

Result<void> DeviceWorkload::fill(int number, const std::vector<double>& pattern,
                                  std::int64_t elements) {
  if (!filler_) {
    const DeviceProgram program = fill_program(type_);
    STREAMGAGE_TRY(filler_, device_.compile(program.text, program.name.c_str()));
    STREAMGAGE_TRY(pattern_, device_.allocate(pattern.size() * element_bytes()));
  }
  STREAMGAGE_TRY(as_type(type_, [&](auto zero) {
    const auto values = as_elements<decltype(zero)>(pattern);
    return device_.write(*pattern_, 0, std::as_bytes(std::span(values)));
  }));
  const std::array<Argument, 4> arguments{array(number), pattern_.get(),
                                          static_cast<std::uint32_t>(pattern.size()),
                                          static_cast<std::uint64_t>(elements)};
  STREAMGAGE_TRY(last_fill_, device_.launch(*filler_, arguments, kFillGrid, 1));
  return {};
}

Result<void> DeviceWorkload::restore() {
  expectation_.reset();
  return fill(0, expectation_.pattern(0), elements_);
}

Result<DeviceKernel*> DeviceWorkload::kernel_of(const Variant& variant, const DeviceShape& shape) {
  auto& kernel =
      kernels_[{variant.kernel->id, shape.vector_bytes, shape.loads, shape.hint, shape.stages > 0}];
  if (!kernel) {
    const DeviceProgram program = stream_program(*variant.kernel, type_, shape);
    STREAMGAGE_TRY(kernel, device_.compile(program.text, program.name.c_str()));
  }
  return kernel.get();
}

Result<std::uint64_t> DeviceWorkload::most_group_items(const Variant& variant,
                                                       const DeviceShape& shape) {
  STREAMGAGE_TRY(const DeviceKernel* const kernel, kernel_of(variant, shape));
  return kernel->most_group_items();
}

double DeviceWorkload::take_scalar(const Variant& variant) {
  const auto id = static_cast<std::size_t>(variant.id);
  runs_.resize(std::max(runs_.size(), id + 1));
  return scalar_of_run(variant, runs_[id]++);
}

// `first` and `count` are elements, multiples of those of a vector; `groups` is set.
Result<LaunchTimes> DeviceWorkload::launch(const Variant& variant, const DeviceShape& shape,
                                           double s, std::int64_t first, std::int64_t count,
                                           std::int64_t passes, std::uint64_t* groups) {
  STREAMGAGE_TRY(DeviceKernel* const kernel, kernel_of(variant, shape));
  const auto lanes = static_cast<std::uint64_t>(shape.vector_bytes) / element_bytes();
  const auto items = static_cast<std::uint64_t>(shape.group_items);
  const std::uint64_t vectors = static_cast<std::uint64_t>(count) / lanes;
  const std::uint64_t tile = items * static_cast<std::uint64_t>(shape.loads);
  const std::uint64_t tiles = std::max<std::uint64_t>((vectors + tile - 1) / tile, 1);
  *groups = shape.groups ? std::min(static_cast<std::uint64_t>(*shape.groups), tiles) : tiles;
  // More tiles than that are taken in steps.
  if (const std::uint64_t most = device_.facts().most_items; most > 0) {
    *groups = std::min(*groups, std::max<std::uint64_t>(most / items, 1));
  }
  if (variant.kernel->reduces() && sums_length_ < *groups) {
    sums_.reset();
    STREAMGAGE_TRY(sums_, device_.allocate(*groups * element_bytes()));
    sums_length_ = *groups;
  }
  // A reduction is given arrays that no kernel writes; see uses_array().
  const int shift = variant.kernel->reduces() ? 1 : 0;
  const bool inside = passes_ == Passes::kInside;
  std::vector<Argument> arguments{
      array(shift),
      array(shift + 1),
      array(shift + 2),
      array(shift + 3),
      type_ == ElementType::kDouble ? Argument(s) : Argument(static_cast<float>(s)),
      static_cast<std::uint64_t>(first) / lanes,
      vectors,
      static_cast<std::uint32_t>(inside ? passes : 1)};
  if (shape.stages > 0) {
    arguments.emplace_back(static_cast<std::uint32_t>(shape.stages));
  }
  if (variant.kernel->reduces()) {
    arguments.emplace_back(sums_.get());
  }
  if (const std::uint64_t shared = shared_bytes(*variant.kernel, type_, shape); shared > 0) {
    arguments.emplace_back(SharedBytes{shared});
  }
  return device_.launch(*kernel, arguments, {*groups, items}, inside ? 1 : passes);
}

Result<double> DeviceWorkload::sum_of(std::uint64_t groups) {
  return as_type(type_, [&](auto zero) -> Result<double> {
    std::vector<decltype(zero)> sums(groups);
    STREAMGAGE_TRY(device_.read(*sums_, 0, bytes_of(sums)));
    double sum = 0.0;
    for (const auto each : sums) {
      sum += static_cast<double>(each);
    }
    return sum;
  });
}

// The first, the middle and the last element of a.
Result<bool> DeviceWorkload::spot_check() {
  return as_type(type_, [&](auto zero) -> Result<bool> {
    using T = decltype(zero);
    const auto pattern = as_elements<T>(expectation_.pattern(0));
    Check check;
    for (const std::int64_t place : {std::int64_t{0}, elements_ / 2, elements_ - 1}) {
      std::vector<T> found(1);
      STREAMGAGE_TRY(device_.read(
          *arrays_.front(), static_cast<std::uint64_t>(place) * element_bytes(), bytes_of(found)));
      compare(std::span<const T>(found), place, pattern, check);
    }
    return check.wrong == 0;
  });
}

Result<DeviceRun> DeviceWorkload::run(const Variant& variant, const DeviceShape& shape,
                                      std::int64_t passes) {
  if (expectation_.would_round(passes)) {
    STREAMGAGE_TRY(restore());
  }
  const double s = take_scalar(variant);
  std::uint64_t groups = 0;
  DeviceRun run;
  STREAMGAGE_TRY(run.times, launch(variant, shape, s, 0, elements_, passes, &groups));
  if (variant.kernel->reduces()) {
    STREAMGAGE_TRY(run.value, sum_of(groups));
    run.spot_check_passed = run.value == expectation_.reduction(*variant.kernel, elements_);
    return run;
  }
  expectation_.advance(*variant.kernel, s, passes);
  STREAMGAGE_TRY(run.spot_check_passed, spot_check());
  return run;
}

Result<LaunchTimes> DeviceWorkload::run_window(const Variant& variant, const DeviceShape& shape,
                                               std::int64_t window, std::int64_t windows) {
  // Windows begin and end at whole vectors of any width.
  constexpr std::int64_t kGrain = 1024;
  const std::int64_t length =
      windows == 1 ? elements_ : std::max(elements_ / windows / kGrain * kGrain, kGrain);
  std::uint64_t groups = 0;
  return launch(variant, shape, take_scalar(variant), window * length, length, 1, &groups);
}

Result<Check> DeviceWorkload::run_and_check(const Variant& variant, const DeviceShape& shape,
                                            LaunchTimes& times) {
  if (expectation_.would_round(1)) {
    STREAMGAGE_TRY(restore());
  }
  return run_and_check_first(variant, shape, elements_, times);
}

Result<bool> DeviceWorkload::is_right_in_part(const Variant& variant, const DeviceShape& shape) {
  const std::int64_t elements = std::min(elements_, kElementsOfPart);
  expectation_.reset();
  STREAMGAGE_TRY(fill(0, expectation_.pattern(0), elements));
  DeviceShape few = shape;
  if (shape.groups) {
    few.groups = std::min(*shape.groups, kGroupsOfPart);
  }
  LaunchTimes times;
  STREAMGAGE_TRY(const Check check, run_and_check_first(variant, few, elements, times));
  return check.wrong == 0;
}

// Of all arrays the first elements alone.
Result<Check> DeviceWorkload::run_and_check_first(const Variant& variant, const DeviceShape& shape,
                                                  std::int64_t elements, LaunchTimes& times) {
  const double s = take_scalar(variant);
  const bool changes = !variant.kernel->reduces() &&
                       expectation_.after(*variant.kernel, s, 1) != expectation_.pattern(0);
  if (!changes && !variant.kernel->reduces()) {
    expectation_.set_all(kDevicePoison);
    STREAMGAGE_TRY(fill(0, expectation_.pattern(0), elements));
  }
  std::uint64_t groups = 0;
  STREAMGAGE_TRY(times, launch(variant, shape, s, 0, elements, 1, &groups));
  if (variant.kernel->reduces()) {
    STREAMGAGE_TRY(const double value, sum_of(groups));
    return check_of_value(value, expectation_.reduction(*variant.kernel, elements));
  }
  expectation_.advance(*variant.kernel, s, 1);
  return check_first(0, elements);
}

Result<Check> DeviceWorkload::check_array(int number) { return check_first(number, elements_); }

std::span<std::byte> DeviceWorkload::piece() {
  if (piece_.empty()) {
    if (auto pinned = device_.allocate_pinned(kPieceBytes)) {
      pinned_ = *std::move(pinned);
      piece_ = pinned_->bytes();
    } else {
      pageable_.resize(kPieceBytes);
      piece_ = pageable_;
    }
  }
  return piece_;
}

// Arrays may have many GiB: what is right is found as fast as memory is read.
Result<Check> DeviceWorkload::check_first(int number, std::int64_t elements) {
  return as_type(type_, [&](auto zero) -> Result<Check> {
    using T = decltype(zero);
    const auto pattern = as_elements<T>(expectation_.pattern(number));
    const auto most = std::min(static_cast<std::int64_t>(kPieceBytes / element_bytes()), elements);
    std::vector<T> right(static_cast<std::size_t>(most + Expectation::kPeriod));
    for (std::size_t place = 0; place < right.size(); ++place) {
      right[place] = pattern[place % pattern.size()];
    }
    Check check;
    for (std::int64_t first = 0; first < elements; first += most) {
      const auto length = static_cast<std::size_t>(std::min(most, elements - first));
      const std::span<std::byte> bytes = piece().first(length * sizeof(T));
      STREAMGAGE_TRY(
          device_.read(*array(number), static_cast<std::uint64_t>(first) * element_bytes(), bytes));
      if (std::memcmp(bytes.data(), &right[static_cast<std::size_t>(first % Expectation::kPeriod)],
                      bytes.size()) == 0) {
        check.checked += static_cast<std::int64_t>(length);
      } else {
        compare(std::span(reinterpret_cast<const T*>(bytes.data()), length), first, pattern, check);
      }
    }
    return check;
  });
}

}  // namespace streamgage::engine
