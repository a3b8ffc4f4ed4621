#include "measure/workload.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "clock/clock.hpp"
#include "counters/likwid/marked_region.hpp"

namespace streamgage {
namespace {

constexpr std::int64_t kSpotChecksAPart = 16;
// Elements; windows start where pages and lines do if the part does.
constexpr std::int64_t kWindowGrain = 4096;
// No kernel makes this value, so that a run that did nothing cannot pass for one that worked.
constexpr double kPoison = 4096.0;

template <class T>
std::vector<T> as_elements(const std::vector<double>& pattern) {
  return std::vector<T>(pattern.begin(), pattern.end());
}

// Calls visit(first index, entry of the pattern, count) for runs of elements that follow the
// pattern without wrapping.
template <class Visit>
void walk_periods(const Range& range, Visit&& visit) {
  for (std::int64_t i = range.begin; i < range.end;) {
    const std::int64_t entry = i % Expectation::kPeriod;
    const std::int64_t count = std::min(Expectation::kPeriod - entry, range.end - i);
    visit(i, entry, count);
    i += count;
  }
}

template <class T>
void fill_range(T* array, const std::vector<T>& pattern, const Range& range) {
  walk_periods(range, [&](std::int64_t i, std::int64_t entry, std::int64_t count) {
    std::copy_n(pattern.begin() + entry, count, array + i);
  });
}

template <class T>
Check check_range(const T* array, const std::vector<T>& pattern, const Range& range) {
  Check check;
  check.checked = range.size();
  walk_periods(range, [&](std::int64_t i, std::int64_t entry, std::int64_t count) {
    const T* expected = pattern.data() + entry;
    std::int64_t wrong = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      // A NaN differs from everything, and is found.
      wrong += array[i + k] == expected[k] ? 0 : 1;
    }
    if (wrong != 0 && !check.first_wrong) {
      const auto differs = [](T one, T other) { return !(one == other); };
      const std::int64_t k = std::mismatch(array + i, array + i + count, expected,
                                           [&](T one, T other) { return !differs(one, other); })
                                 .first -
                             (array + i);
      check.first_wrong = i + k;
      check.expected = static_cast<double>(expected[k]);
      check.found = static_cast<double>(array[i + k]);
    }
    check.wrong += wrong;
  });
  return check;
}

Check merge(const std::vector<Check>& parts) {
  Check all;
  for (const Check& part : parts) {
    all.checked += part.checked;
    all.wrong += part.wrong;
    if (part.first_wrong && !all.first_wrong) {
      all.first_wrong = part.first_wrong;
      all.expected = part.expected;
      all.found = part.found;
    }
  }
  return all;
}

template <class T>
Check check_in_parallel(const Team& team, const void* array, const std::vector<double>& pattern,
                        const std::vector<Range>& parts) {
  const std::vector<T> expected = as_elements<T>(pattern);
  std::vector<Check> checks(parts.size());
  team.each([&](int thread) {
    const auto part = static_cast<std::size_t>(thread);
    checks[part] = check_range(static_cast<const T*>(array), expected, parts[part]);
  });
  return merge(checks);
}

template <class T>
bool spots_are_right(const void* array, const std::vector<double>& pattern, const Range& part) {
  const auto* elements = static_cast<const T*>(array);
  for (std::int64_t spot = 0; spot < kSpotChecksAPart && part.size() > 0; ++spot) {
    // Evenly spread, both ends included.
    const std::int64_t i =
        part.begin + (part.size() - 1) * spot / std::max<std::int64_t>(1, kSpotChecksAPart - 1);
    const auto expected =
        static_cast<T>(pattern[static_cast<std::size_t>(i % Expectation::kPeriod)]);
    if (!(elements[i] == expected)) {
      return false;
    }
  }
  return true;
}

// "triad_regular_tuned": LIKWID's names have no blanks.
std::string region_of(const Variant& variant) {
  const char* twin = variant.purpose == Purpose::kForcedRead ? "_forced"
                     : variant.purpose == Purpose::kSeries   ? "_series"
                                                             : "";
  return fmt::format("{}_{}{}{}", variant.kernel->name, name_of(variant.store),
                     variant.tuned ? "_tuned" : "", twin);
}

}  // namespace

bool uses_array(const Kernel& kernel, int number) {
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
  int arrays = 1;
  for (const Variant& variant : variants) {
    for (int number = arrays; number < 4; ++number) {
      arrays = uses_array(*variant.kernel, number) ? number + 1 : arrays;
    }
  }
  return arrays;
}

Workload::Workload(ElementType type, std::int64_t elements, std::vector<Array> arrays,
                   bool huge_pages, CpuList nodes, std::vector<Range> parts)
    : type_(type),
      elements_(elements),
      arrays_(std::move(arrays)),
      huge_pages_(huge_pages),
      nodes_(std::move(nodes)),
      parts_(std::move(parts)),
      expectation_(type) {}

Result<Workload> Workload::reserve(const ArraySize& size, ElementType type, int arrays, int threads,
                                   bool huge_pages, const CpuList& nodes) {
  std::vector<Array> reserved;
  for (int number = 0; number < arrays; ++number) {
    auto array = Array::reserve(size.bytes, huge_pages, nodes);
    if (!array) {
      return tl::unexpected<Error>(array.error());
    }
    reserved.push_back(std::move(*array));
  }
  return Workload(type, size.elements, std::move(reserved), huge_pages, nodes,
                  partition(size.elements, size_of(type), threads));
}

Result<void> Workload::renew() {
  const std::uint64_t bytes = arrays_.front().bytes();
  const std::size_t count = arrays_.size();
  arrays_.clear();  // all of them first: memory may not hold two sets
  while (arrays_.size() < count) {
    auto array = Array::reserve(bytes, huge_pages_, nodes_);
    if (!array) {
      return tl::unexpected<Error>(array.error());
    }
    arrays_.push_back(std::move(*array));
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
  Touch touch;
  touch.cpus.resize(parts_.size());
  const Instant start = now();
  for (int number = 0; number < arrays(); ++number) {
    fill(team, number, expectation_.pattern(number));
  }
  touch.seconds = seconds_between(start, now());
  team.each([&](int thread) { touch.cpus[static_cast<std::size_t>(thread)] = sched_getcpu(); });
  return touch;
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

void Workload::make_ready(const Team& team, std::int64_t passes) {
  if (expectation_.would_round(passes)) {
    restore(team);
  }
}

RunOutcome Workload::run(const Team& team, const Variant& variant, std::int64_t passes) {
  make_ready(team, passes);
  const double s = take_scalar(variant);
  RunOutcome outcome;
  outcome.timing = team.time(call(variant, s, passes), parts_);
  expectation_.advance(*variant.kernel, s, passes);
  outcome.spot_check_passed = spot_check(variant, outcome.timing.value);
  return outcome;
}

Timing Workload::run_window(const Team& team, const Variant& variant, std::int64_t window,
                            std::int64_t windows) {
  std::vector<Range> ranges(parts_.size());
  const auto threads = static_cast<std::size_t>(variant.threads.value_or(team.size()));
  const std::int64_t length = window_elements(windows, 1);
  for (std::size_t number = 0; number < threads; ++number) {
    const std::size_t thread = number * parts_.size() / threads;  // evenly spread over the team
    const std::int64_t begin = parts_[thread].begin + window * length;
    ranges[thread] = {begin, begin + length};
  }
  return team.time(call(variant, take_scalar(variant), 1), ranges);
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
  expectation_.reset();
  fill(team, 0, expectation_.pattern(0));
}

Check Workload::run_and_check(const Team& team, const Variant& variant, Timing& timing) {
  make_ready(team, 1);
  const double s = take_scalar(variant);
  if (!variant.kernel->reduces() &&
      expectation_.after(*variant.kernel, s, 1) == expectation_.pattern(0)) {
    expectation_.set_all(kPoison);
    fill(team, 0, expectation_.pattern(0));
  }
  timing = team.time(call(variant, s, 1), parts_);
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

}  // namespace streamgage
