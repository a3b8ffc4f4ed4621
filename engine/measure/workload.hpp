// The arrays that a team works on: first touched by the thread that uses each part, run through
// kernels, and checked element by element against what they must hold.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/variant.hpp"
#include "measure/expectation.hpp"
#include "measure/kernel_call.hpp"
#include "measure/own/own_workload.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/array.hpp"
#include "streamgage/memory/array_size.hpp"
#include "streamgage/memory/partition.hpp"
#include "streamgage/team/first_touch.hpp"
#include "streamgage/team/thread_walk.hpp"

namespace streamgage::engine {

// The result of a check: the number of wrong elements, and the first of them.
struct Check {
  std::int64_t checked = 0;
  std::int64_t wrong = 0;
  std::optional<std::int64_t> first_wrong;  // index
  double expected = 0.0;
  double found = 0.0;
  bool is_known = true;                                 // false: of an own kernel that has no check
  std::optional<KernelFailure> failure = std::nullopt;  // of an own kernel
};

struct RunOutcome {
  Timing timing;
  // Of the threads, in windows. None where threads may wait by design: of an own kernel, and where
  // there are more threads than CPUs.
  std::vector<ThreadWalk> walks = {};
  bool spot_check_passed = true;
  std::optional<KernelFailure> failure = std::nullopt;  // of an own kernel
};

// The setup of arrays: the nodes of their pages, their alignment, and their first content.
struct ArraySetup {
  PageSize pages = PageSize::kHuge;
  CpuList nodes = {};                                     // none: first touch
  std::optional<std::uint64_t> alignment = std::nullopt;  // as of Array::reserve()
  InitialValues values = {};
  bool watches_windows = true;  // false: each thread cannot have a CPU at the same time
};

class Workload {
 public:
  // Reserves `arrays` arrays; nothing is touched yet.
  static Result<Workload> reserve(const ArraySize& size, ElementType type, int arrays, int threads,
                                  const ArraySetup& setup);

  // Reserves the arrays of a user's kernel, which is measured like any other from then on.
  Result<void> add(const Variant& variant, double timeout_seconds);
  // Frees the arrays of that kernel.
  void drop(const OwnKernel& kernel);

  // Lets every thread write its part of every array for the first time.
  Touch touch(const Team& team);

  // Refills what the variant writes if so many more passes would round. run() also does this,
  // outside of the time and the counts that it reports.
  void make_ready(const Team& team, const Variant& variant, std::int64_t passes);

  // Makes one timed run of `passes` (odd). Compares a reduction's value exactly, and some elements
  // of every part of a.
  RunOutcome run(const Team& team, const Variant& variant, std::int64_t passes);

  // Frees the arrays and reserves that many others in their place; call touch() next.
  Result<void> renew(int arrays);

  // Frees the arrays; only renew() may follow.
  void release() { arrays_.clear(); }

  // Makes one timed pass over a window of every thread's part: number `window` of `windows`, with
  // as many threads as the variant says. The values that it leaves in a are not tracked: call
  // restore() before anything is compared again.
  WalkedCall run_window(const Team& team, const Variant& variant, std::int64_t window,
                        std::int64_t windows);

  // Returns the elements that run_window() covers with that many threads. `windows` must be small
  // enough to leave some to each thread.
  [[nodiscard]] std::int64_t window_elements(std::int64_t windows, int threads) const;

  // Fills a with its first pattern.
  void restore(const Team& team);

  // Makes one run (not timed here), then compares every element of a, or a reduction's value.
  Check run_and_check(const Team& team, const Variant& variant, Timing& timing);

  // Checks every element of one array, 0 (a) to arrays() - 1.
  [[nodiscard]] Check check_array(const Team& team, int number) const;

  [[nodiscard]] int arrays() const { return static_cast<int>(arrays_.size()); }
  [[nodiscard]] const Array& array(int number) const {
    return arrays_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] const std::vector<Range>& parts() const { return parts_; }
  [[nodiscard]] const std::vector<OwnWorkload>& own() const { return own_; }
  [[nodiscard]] ElementType type() const { return type_; }

 private:
  Workload(ElementType type, const ArraySize& size, std::vector<Array> arrays, ArraySetup setup,
           std::vector<Range> parts);

  [[nodiscard]] KernelCall call(const Variant& variant, double s, std::int64_t passes) const;
  [[nodiscard]] void* operand(int number) const;
  [[nodiscard]] bool spot_check(const Variant& variant, double value) const;
  [[nodiscard]] OwnWorkload& own_of(const Variant& variant);
  double take_scalar(const Variant& variant);
  // Returns the elements of a window of a thread's walk through one of these ranges; 0 if the code
  // must have its whole range in one call.
  [[nodiscard]] std::int64_t walk_window(const Variant& variant,
                                         const std::vector<Range>& ranges) const;
  void fill(const Team& team, int number, const std::vector<double>& pattern) const;

  ElementType type_;
  std::int64_t elements_;
  std::uint64_t bytes_;  // of each array
  std::vector<Array> arrays_;
  ArraySetup setup_;
  std::vector<Range> parts_;
  Expectation expectation_;
  std::vector<std::int64_t> runs_;  // by variant id
  std::vector<OwnWorkload> own_;    // those of users' kernels
};

// Returns whether the kernel uses the array with that number, 0 (a) to 3 (d).
bool uses_array(const Kernel& kernel, int number);

// Returns how many arrays the kernel uses; its working set is so many times the size of an array.
int arrays_used(const Kernel& kernel);

// Returns the number of arrays that the built-in kernels among these variants use: 1 (only a) to
// 4, or 0.
int arrays_needed(const std::vector<Variant>& variants);

}  // namespace streamgage::engine
