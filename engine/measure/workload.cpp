#include "measure/workload.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "kernels/libc_lengths.hpp"
#include "measure/likwid/marked_region.hpp"
#include "measure/pattern_elements.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

// Elements; windows start where pages and lines do if the part does.
constexpr std::int64_t kWindowGrain = 4096;
// That a thread moves in a window of its walk, by STREAM's counting: 80 to 400 us on the machines
// of today. The two readings of clocks at its end take less than 1 % of that.
constexpr std::int64_t kWalkWindowBytes = std::int64_t{4} << 20U;
// No kernel makes this value, so that a run that did nothing cannot pass for one that worked.
constexpr double kPoison = 4096.0;

// Returns whether the code may call the C library, which stores in another way from some length on.
bool may_call_library(const Variant& variant) {
  const KernelId kernel = variant.kernel->id;
  const bool may_be_replaced = variant.store == StoreMode::kPlain &&
                               (kernel == KernelId::kCopy || kernel == KernelId::kInit);
  return variant.store == StoreMode::kLibc ||
         (variant.calls ? !variant.calls->empty() : may_be_replaced);
}

// "triad_regular_tuned": LIKWID's names have no blanks.
std::string region_of(const Variant& variant) {
  const char* twin = variant.purpose == Purpose::kForcedRead ? "_forced"
                     : variant.purpose == Purpose::kSeries   ? "_series"
                     : variant.purpose == Purpose::kEvidence ? "_evidence"
                                                             : "";
  return fmt::format("{}_{}{}{}", variant.kernel->name, name_of(variant.store),
                     variant.tuned ? "_tuned" : "", twin);
}

}  // namespace

bool uses_array(const Kernel& kernel, int number) {
  if (kernel.own != nullptr) {
    return false;  // it has its own
  }
  // A reduction is given b in place of a, c in place of b: arrays that no kernel writes.
  const unsigned used = kernel.reduces() ? kernel.reads << 1U : kernel.reads | kA;
  return (used >> static_cast<unsigned>(number) & 1U) != 0;
}

int arrays_used(const Kernel& kernel) {
  int used = 0;
  for (int number = 0; number < 4; ++number) {
    used += uses_array(kernel, number) ? 1 : 0;
  }
  return used;
}

int arrays_needed(const std::vector<Variant>& variants) {
  int arrays = 0;
  for (const Variant& variant : variants) {
    for (int number = arrays; number < 4; ++number) {
      arrays = uses_array(*variant.kernel, number) ? number + 1 : arrays;
    }
  }
  return arrays;
}

Workload::Workload(ElementType type, const ArraySize& size, std::vector<Array> arrays,
                   ArraySetup setup, std::vector<Range> parts)
    : type_(type),
      elements_(size.elements),
      bytes_(size.bytes),
      arrays_(std::move(arrays)),
      setup_(std::move(setup)),
      parts_(std::move(parts)),
      expectation_(type, setup_.values) {}

Result<Workload> Workload::reserve(const ArraySize& size, ElementType type, int arrays, int threads,
                                   const ArraySetup& setup) {
  std::vector<Array> reserved;
  for (int number = 0; number < arrays; ++number) {
    STREAMGAGE_TRY(auto array,
                   Array::reserve(size.bytes, setup.pages, setup.nodes, setup.alignment));
    reserved.push_back(std::move(array));
  }
  return Workload(type, size, std::move(reserved), setup,
                  partition(size.elements, size_of(type), threads));
}

Result<void> Workload::add(const Variant& variant, double timeout_seconds) {
  STREAMGAGE_TRY(auto own, OwnWorkload::reserve(variant.own, variant.elements.value_or(0),
                                                static_cast<int>(parts_.size()),
                                                {Guards::kApart, setup_.pages, setup_.nodes},
                                                timeout_seconds));
  own_.push_back(std::move(own));
  return {};
}

void Workload::drop(const OwnKernel& kernel) {
  own_.erase(std::remove_if(own_.begin(), own_.end(),
                            [&](const OwnWorkload& own) { return &own.kernel() == &kernel; }),
             own_.end());
}

OwnWorkload& Workload::own_of(const Variant& variant) {
  return *std::find_if(own_.begin(), own_.end(),
                       [&](const OwnWorkload& own) { return &own.kernel() == variant.own.get(); });
}

Result<void> Workload::renew(int arrays) {
  for (OwnWorkload& own : own_) {
    STREAMGAGE_TRY(own.renew());
  }
  release();  // all of them first: memory may not hold two sets
  while (static_cast<int>(arrays_.size()) < arrays) {
    STREAMGAGE_TRY(auto array,
                   Array::reserve(bytes_, setup_.pages, setup_.nodes, setup_.alignment));
    arrays_.push_back(std::move(array));
  }
  expectation_.reset();
  return {};
}

void* Workload::operand(int number) const {
  return number < arrays() ? array(number).data() : nullptr;
}

void Workload::fill(const Team& team, int number, const std::vector<double>& pattern) const {
  const auto fill_as = [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> values = as_elements<T>(pattern);
    team.each([&](int thread) {
      fill_range(static_cast<T*>(operand(number)), values,
                 parts_[static_cast<std::size_t>(thread)]);
    });
  };
  type_ == ElementType::kDouble ? fill_as(double{}) : fill_as(float{});
}

Touch Workload::touch(const Team& team) {
  return first_touch(team, [&] {
    for (int number = 0; number < arrays(); ++number) {
      fill(team, number, expectation_.pattern(number));
    }
    for (OwnWorkload& own : own_) {
      own.fill(team);
    }
  });
}

KernelCall Workload::call(const Variant& variant, double s, std::int64_t passes) const {
  const Operands operands = variant.kernel->reduces()
                                ? Operands{operand(1), operand(2), operand(3), nullptr}
                                : Operands{operand(0), operand(1), operand(2), operand(3)};
  return {variant.run, operands, s, passes, kHasMarkers ? region_of(variant) : std::string{}};
}

double Workload::take_scalar(const Variant& variant) {
  const auto id = static_cast<std::size_t>(variant.id);
  if (runs_.size() <= id) {
    runs_.resize(id + 1);
  }
  return scalar_of_run(variant, runs_[id]++);
}

bool Workload::spot_check(const Variant& variant, double value) const {
  if (variant.kernel->reduces()) {
    return value == expectation_.reduction(*variant.kernel, elements_);
  }
  return std::all_of(parts_.begin(), parts_.end(), [&](const Range& part) {
    return type_ == ElementType::kDouble
               ? spots_are_right<double>(operand(0), expectation_.pattern(0), part)
               : spots_are_right<float>(operand(0), expectation_.pattern(0), part);
  });
}

void Workload::make_ready(const Team& team, const Variant& variant, std::int64_t passes) {
  if (variant.own) {
    own_of(variant).make_ready(team, passes);
  } else if (expectation_.would_round(passes)) {
    restore(team);
  }
}

RunOutcome Workload::run(const Team& team, const Variant& variant, std::int64_t passes) {
  make_ready(team, variant, passes);
  const double s = take_scalar(variant);
  RunOutcome outcome;
  if (variant.own) {
    OwnRun run = own_of(variant).run(team, s, passes, kHasMarkers ? region_of(variant) : "");
    return {std::move(run.timing), {}, !run.failure, std::move(run.failure)};
  }
  WalkedCall walked =
      walk_call(team, call(variant, s, passes), parts_, walk_window(variant, parts_));
  outcome.timing = std::move(walked.timing);
  if (setup_.watches_windows) {
    outcome.walks = std::move(walked.walks);
  }
  expectation_.advance(*variant.kernel, s, passes);
  outcome.spot_check_passed = spot_check(variant, outcome.timing.value);
  return outcome;
}

WalkedCall Workload::run_window(const Team& team, const Variant& variant, std::int64_t window,
                                std::int64_t windows) {
  std::vector<Range> ranges(parts_.size());
  const auto threads = static_cast<std::size_t>(variant.threads.value_or(team.size()));
  const std::int64_t length = window_elements(windows, 1);
  for (std::size_t number = 0; number < threads; ++number) {
    const std::size_t thread = number * parts_.size() / threads;  // evenly spread over the team
    const std::int64_t begin = parts_[thread].begin + window * length;
    ranges[thread] = {begin, begin + length};
  }
  WalkedCall walked =
      walk_call(team, call(variant, take_scalar(variant), 1), ranges, walk_window(variant, ranges));
  if (!setup_.watches_windows) {
    walked.walks.clear();
  }
  return walked;
}

std::int64_t Workload::walk_window(const Variant& variant, const std::vector<Range>& ranges) const {
  const auto element = static_cast<std::int64_t>(size_of(type_));
  const auto bytes = static_cast<std::int64_t>(variant.kernel->nominal_bytes(size_of(type_)));
  const std::int64_t window =
      std::max(kWalkWindowBytes / bytes / kWindowGrain, std::int64_t{1}) * kWindowGrain;
  if (!may_call_library(variant)) {
    return window;
  }
  // A window of memcpy must be stored as the whole part is.
  std::int64_t longest = 0;
  for (const Range& range : ranges) {
    longest = std::max(longest, range.size() * element);
  }
  const auto length = non_temporal_length();
  return length && longest < static_cast<std::int64_t>(*length) ? window : 0;
}

std::int64_t Workload::window_elements(std::int64_t windows, int threads) const {
  const auto smallest = std::min_element(
      parts_.begin(), parts_.end(),
      [](const Range& one, const Range& other) { return one.size() < other.size(); });
  const std::int64_t length = smallest->size() / windows;
  const std::int64_t grain = length < kWindowGrain ? 1 : kWindowGrain;
  return length / grain * grain * threads;
}

void Workload::restore(const Team& team) {
  if (arrays_.empty()) {
    return;
  }
  expectation_.reset();
  fill(team, 0, expectation_.pattern(0));
}

Check Workload::run_and_check(const Team& team, const Variant& variant, Timing& timing) {
  make_ready(team, variant, 1);
  const double s = take_scalar(variant);
  if (variant.own) {
    OwnValidation own =
        own_of(variant).run_and_check(team, s, kHasMarkers ? region_of(variant) : "");
    timing = std::move(own.timing);
    Check check;
    check.checked = own.wrong ? *variant.elements : 0;
    check.wrong = own.wrong.value_or(0);
    check.is_known = own.wrong.has_value();
    check.failure = std::move(own.failure);
    return check;
  }
  if (!variant.kernel->reduces() &&
      expectation_.after(*variant.kernel, s, 1) == expectation_.pattern(0)) {
    expectation_.set_all(kPoison);
    fill(team, 0, expectation_.pattern(0));
  }
  timing = time_call(team, call(variant, s, 1), parts_);
  expectation_.advance(*variant.kernel, s, 1);
  if (variant.kernel->reduces()) {
    Check check;
    check.checked = 1;
    check.expected = expectation_.reduction(*variant.kernel, elements_);
    check.found = timing.value;
    check.wrong = check.found == check.expected ? 0 : 1;
    return check;
  }
  return check_array(team, 0);
}

Check Workload::check_array(const Team& team, int number) const {
  return type_ == ElementType::kDouble
             ? check_in_parallel<double>(team, operand(number), expectation_.pattern(number),
                                         parts_)
             : check_in_parallel<float>(team, operand(number), expectation_.pattern(number),
                                        parts_);
}

}  // namespace streamgage::engine
