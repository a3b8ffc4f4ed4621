#include "devices/measure/device_own_workload.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "devices/compiler_log.hpp"
#include "devices/device_source.hpp"
#include "measure/expectation.hpp"
#include "measure/pattern_elements.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

constexpr std::uint64_t kDeviceGuardBytes = kPartBytes;
constexpr int kDeviceGuard = 0xA5;
constexpr std::uint64_t kPieceOfOwn = 16 * kMiB;
constexpr Grid kGridOfOwnFill{1024, 64};
// After so many passes with s = 0.5 a float is still far from the least and the greatest of them.
constexpr std::int64_t kMostPassesOfOwn = 64;
constexpr double kScalarOfOwn = 0.5;

}  // namespace

DeviceOwnWorkload::DeviceOwnWorkload(Device& device, DeviceOwnKernel kernel,
                                     std::int64_t iterations, double timeout_seconds)
    : device_(device),
      kernel_(std::move(kernel)),
      iterations_(iterations),
      scalar_(scalar_type(*kernel_.facts, device.facts())) {
  watched_.name = facts().name;
  watched_.source = facts().source;
  watched_.timeout_seconds = timeout_seconds;
}

std::int64_t DeviceOwnWorkload::fit_iterations(std::int64_t most) { return most / kGrain * kGrain; }

KernelFailure DeviceOwnWorkload::fail(FailureReason reason, const std::string& what) const {
  return failure_of(facts(), reason, what);
}

std::uint64_t DeviceOwnWorkload::usual_items() const {
  std::uint64_t items = kGrain;
  while (items > 1 && items > run_->most_group_items()) {
    items /= 2;
  }
  return items;
}

Result<std::optional<KernelFailure>> DeviceOwnWorkload::build() {
  const auto compile = [this](const char* name,
                              std::unique_ptr<DeviceKernel>& to) -> std::optional<KernelFailure> {
    auto built = device_.compile_own(kernel_.program, name);
    if (!built) {
      return fail(
          FailureReason::kCompile,
          "does not compile: " + first_error_of(built.error().message, kernel_.program.file));
    }
    to = *std::move(built);
    return std::nullopt;
  };
  if (auto failed = compile(kOwnRun, run_)) {
    return failed;
  }
  if (kernel_.fills) {
    if (auto failed = compile(kOwnFill, fill_)) {
      return failed;
    }
  }
  if (kernel_.checks) {
    STREAMGAGE_TRY(wrong_, device_.allocate(sizeof(std::uint32_t)));
    if (auto failed = compile(kOwnCheck, check_)) {
      return failed;
    }
  }
  return std::optional<KernelFailure>{};
}

Result<std::optional<KernelFailure>> DeviceOwnWorkload::renew() {
  arrays_.clear();
  for (const OwnArray& array : facts().arrays) {
    const std::uint64_t bytes = array.array_bytes(iterations_);
    GuardedArray guarded;
    STREAMGAGE_TRY(guarded.whole, device_.allocate(kDeviceGuardBytes + bytes + kDeviceGuardBytes));
    STREAMGAGE_TRY(guarded.array, device_.part_of(*guarded.whole, kDeviceGuardBytes, bytes));
    arrays_.push_back(std::move(guarded));
  }
  return fill();
}

// Floating-point elements with multiples of 1/8, others with 0.
Result<void> DeviceOwnWorkload::fill_plainly(std::size_t number) {
  const OwnArray& array = facts().arrays[number];
  const auto elements = static_cast<std::uint64_t>(array.elements(iterations_));
  const bool is_double = array.type == ArrayType::kDouble;
  if (!is_double && array.type != ArrayType::kFloat) {
    const std::vector<std::byte> zeros(std::min(kPieceOfOwn, array.array_bytes(iterations_)));
    for (std::uint64_t at = 0; at < array.array_bytes(iterations_); at += zeros.size()) {
      const auto piece = std::min<std::uint64_t>(zeros.size(), array.array_bytes(iterations_) - at);
      STREAMGAGE_TRY(device_.write(*arrays_[number].array, at, std::span(zeros).first(piece)));
    }
    return {};
  }
  const ElementType type = is_double ? ElementType::kDouble : ElementType::kFloat;
  auto& filler = is_double ? fill_double_ : fill_float_;
  if (!filler) {
    const DeviceProgram program = fill_program(type);
    STREAMGAGE_TRY(filler, device_.compile(program.text, program.name.c_str()));
  }
  const Expectation expectation(type);
  const std::vector<double>& pattern = expectation.pattern(static_cast<int>(number % 4));
  STREAMGAGE_TRY(pattern_, device_.allocate(pattern.size() * sizeof(double)));
  if (is_double) {
    STREAMGAGE_TRY(device_.write(*pattern_, 0, std::as_bytes(std::span(pattern))));
  } else {
    const auto values = as_elements<float>(pattern);
    STREAMGAGE_TRY(device_.write(*pattern_, 0, std::as_bytes(std::span(values))));
  }
  const std::array<Argument, 4> arguments{arrays_[number].array.get(), pattern_.get(),
                                          static_cast<std::uint32_t>(pattern.size()), elements};
  STREAMGAGE_TRY(device_.launch(*filler, arguments, kGridOfOwnFill, 1));
  return {};
}

Result<std::optional<KernelFailure>> DeviceOwnWorkload::fill() {
  const std::vector<std::byte> guard(kDeviceGuardBytes, std::byte{kDeviceGuard});
  for (std::size_t number = 0; number < arrays_.size(); ++number) {
    STREAMGAGE_TRY(fill_plainly(number));
    const std::uint64_t bytes = facts().arrays[number].array_bytes(iterations_);
    for (const std::uint64_t at : {std::uint64_t{0}, kDeviceGuardBytes + bytes}) {
      STREAMGAGE_TRY(device_.write(*arrays_[number].whole, at, std::span(guard)));
    }
  }
  passes_ = 0;
  if (fill_) {
    if (const auto filled = launch(*fill_, kScalarOfOwn, usual_items(), 1); !filled) {
      return std::optional(filled.error());
    }
  }
  return std::optional<KernelFailure>{};
}

tl::expected<LaunchTimes, KernelFailure> DeviceOwnWorkload::launch(DeviceKernel& function, double s,
                                                                   std::uint64_t items,
                                                                   std::int64_t passes,
                                                                   const DeviceMemory* wrong) {
  std::vector<Argument> arguments;
  for (const GuardedArray& each : arrays_) {
    arguments.emplace_back(each.array.get());
  }
  arguments.push_back(scalar_ == ElementType::kDouble ? Argument(s)
                                                      : Argument(static_cast<float>(s)));
  arguments.emplace_back(static_cast<std::uint64_t>(iterations_));
  if (wrong != nullptr) {
    arguments.emplace_back(wrong);
  }
  const Grid grid{static_cast<std::uint64_t>(iterations_) / items, items};
  const GuardedRun guarded(watched_);
  auto launched = device_.launch(function, arguments, grid, passes);
  if (!launched) {
    return tl::unexpected(fail(FailureReason::kCrash,
                               fmt::format("fails on the device: {}", launched.error().message)));
  }
  return *launched;
}

// The nearest one, as far as the guards reach.
Result<std::optional<std::int64_t>> DeviceOwnWorkload::written_outside(std::size_t number) {
  const OwnArray& array = facts().arrays[number];
  const auto size = static_cast<std::int64_t>(size_of(array.type));
  const auto changed = [](std::byte byte) { return byte != std::byte{kDeviceGuard}; };
  std::vector<std::byte> guard(kDeviceGuardBytes);
  STREAMGAGE_TRY(device_.read(*arrays_[number].whole, 0, std::span(guard)));
  if (const auto last = std::find_if(guard.rbegin(), guard.rend(), changed); last != guard.rend()) {
    return std::optional(-1 - (last - guard.rbegin()) / size);
  }
  STREAMGAGE_TRY(device_.read(*arrays_[number].whole,
                              kDeviceGuardBytes + array.array_bytes(iterations_),
                              std::span(guard)));
  if (const auto first = std::find_if(guard.begin(), guard.end(), changed); first != guard.end()) {
    return std::optional(array.elements(iterations_) + (first - guard.begin()) / size);
  }
  return std::optional<std::int64_t>{};
}

Result<std::optional<KernelFailure>> DeviceOwnWorkload::damage() {
  for (std::size_t number = 0; number < arrays_.size(); ++number) {
    STREAMGAGE_TRY(const auto element, written_outside(number));
    if (element) {
      const OwnArray& array = facts().arrays[number];
      return std::optional(
          fail(FailureReason::kOutside,
               fmt::format("writes element {} of its array {}, which has {}", *element, array.name,
                           count_of(array.elements(iterations_), "element"))));
    }
  }
  return std::optional<KernelFailure>{};
}

Result<DeviceOwnRun> DeviceOwnWorkload::run(double s, std::int64_t passes) {
  DeviceOwnRun outcome;
  if (facts().changes_what_it_reads() && passes_ > 0 && passes_ + passes > kMostPassesOfOwn) {
    STREAMGAGE_TRY(outcome.failure, fill());
    if (outcome.failure) {
      return outcome;
    }
  }
  passes_ += passes;
  const auto launched = launch(*run_, s, usual_items(), passes);
  if (!launched) {
    outcome.failure = launched.error();
    return outcome;
  }
  outcome.times = *launched;
  STREAMGAGE_TRY(outcome.failure, damage());
  return outcome;
}

Result<DeviceOwnRun> DeviceOwnWorkload::run_and_check(double s) {
  DeviceOwnRun outcome;
  STREAMGAGE_TRY(outcome.failure, fill());
  if (!outcome.failure) {
    STREAMGAGE_TRY(outcome, run(s, 1));
  }
  if (outcome.failure || !check_) {
    return outcome;
  }
  std::array<std::uint32_t, 1> wrong{};
  STREAMGAGE_TRY(device_.write(*wrong_, 0, std::as_bytes(std::span(wrong))));
  if (const auto launched = launch(*check_, s, usual_items(), 1, wrong_.get()); !launched) {
    outcome.failure = launched.error();
    return outcome;
  }
  STREAMGAGE_TRY(device_.read(*wrong_, 0, std::as_writable_bytes(std::span(wrong))));
  outcome.wrong = wrong.front();
  if (wrong.front() != 0) {
    outcome.failure = fail(FailureReason::kCheck,
                           fmt::format("fails its own check: {} of {} iterations are wrong",
                                       wrong.front(), iterations_));
  }
  return outcome;
}

Result<std::vector<DeviceOwnWorkload::Bytes>> DeviceOwnWorkload::contents() {
  std::vector<Bytes> all;
  for (std::size_t number = 0; number < arrays_.size(); ++number) {
    Bytes bytes(facts().arrays[number].array_bytes(iterations_));
    STREAMGAGE_TRY(device_.read(*arrays_[number].array, 0, std::span(bytes)));
    all.push_back(std::move(bytes));
  }
  return all;
}

Result<std::optional<KernelFailure>> DeviceOwnWorkload::check(std::vector<std::string>& checked) {
  checked.emplace_back("declaration");
  STREAMGAGE_TRY(auto failure, renew());
  if (failure) {
    return failure;
  }
  STREAMGAGE_TRY(const auto before, contents());
  STREAMGAGE_TRY(const auto ran, run(kScalarOfOwn, 1));
  if (ran.failure) {
    return ran.failure;
  }
  checked.emplace_back("bounds");
  STREAMGAGE_TRY(const auto after, contents());
  const auto first_difference = [this](const Bytes& one, const Bytes& other, std::size_t number) {
    const auto at = std::mismatch(one.begin(), one.end(), other.begin()).first - one.begin();
    return at / static_cast<std::ptrdiff_t>(size_of(facts().arrays[number].type));
  };
  for (std::size_t number = 0; number < arrays_.size(); ++number) {
    const OwnArray& array = facts().arrays[number];
    if (!array.is_written && before[number] != after[number]) {
      return std::optional(
          fail(FailureReason::kAccess,
               fmt::format("writes element {} of its array {}, which it declares as read",
                           first_difference(before[number], after[number], number), array.name)));
    }
  }
  checked.emplace_back("accesses");
  // The same bits from groups of another size.
  STREAMGAGE_TRY(failure, fill());
  if (failure) {
    return failure;
  }
  const std::uint64_t other = std::max<std::uint64_t>(usual_items() / 4, 1);
  if (const auto launched = launch(*run_, kScalarOfOwn, other, 1); !launched) {
    return std::optional(launched.error());
  }
  STREAMGAGE_TRY(const auto divided, contents());
  for (std::size_t number = 0; number < arrays_.size(); ++number) {
    if (after[number] != divided[number]) {
      return std::optional(
          fail(FailureReason::kDivision,
               fmt::format("gives another result in groups of {} work-items than of {}: element {} "
                           "of its array {} differs",
                           other, usual_items(),
                           first_difference(after[number], divided[number], number),
                           facts().arrays[number].name)));
    }
  }
  checked.emplace_back("division");
  STREAMGAGE_TRY(const auto result, run_and_check(kScalarOfOwn));
  if (result.failure) {
    return result.failure;
  }
  if (kernel_.checks) {
    checked.emplace_back("result");
  }
  return std::optional<KernelFailure>{};
}

}  // namespace streamgage::engine
