#include "measure/own/own_check.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "measure/own/access_proof.hpp"
#include "measure/own/own_sizes.hpp"
#include "measure/own/own_workload.hpp"
#include "measure/stop_signal.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

constexpr std::uint64_t kSmallArray = 24 * kKiB;  // some pages
constexpr std::uint64_t kFewGrains = 64 * kMiB;   // more than this is not taken for a small array
constexpr std::int64_t kLeastGrains = 7;
constexpr std::uint64_t kSetsAtOnce = 4;  // arrays, and copies of what they held at moments
constexpr double kScalar = 0.5;
constexpr int kUnwritten = 0xa5;  // of every byte of an array that is written and not read

// Why the checks of a kernel end: it fails one of them, or its memory is refused.
struct Verdict {
  Verdict(KernelFailure found)
      : failure(std::move(found)) {}             // NOLINT(google-explicit-constructor)
  Verdict(Error why) : error(std::move(why)) {}  // NOLINT(google-explicit-constructor)

  std::optional<KernelFailure> failure;
  std::optional<Error> error;
};

// Whether a check is passed, or why the checks end.
using Checked = tl::expected<void, Verdict>;

// What all arrays of a kernel hold at one moment.
class Snapshot {
 public:
  explicit Snapshot(const OwnArrays& arrays) {
    for (const GuardedArray& array : arrays.arrays()) {
      arrays_.emplace_back(array.memory().begin(), array.memory().end());
    }
  }

  [[nodiscard]] std::size_t bytes(std::size_t number) const { return arrays_[number].size(); }

  [[nodiscard]] bool differs(const Snapshot& other, std::size_t number, std::size_t at,
                             std::size_t size) const {
    return std::memcmp(arrays_[number].data() + at, other.arrays_[number].data() + at, size) != 0;
  }

  // The first byte of an array that is another one in `other`.
  [[nodiscard]] std::optional<std::size_t> first_difference(const Snapshot& other,
                                                            std::size_t number) const {
    const auto& here = arrays_[number];
    const auto at = std::mismatch(here.begin(), here.end(), other.arrays_[number].begin()).first;
    return at == here.end() ? std::nullopt
                            : std::optional(static_cast<std::size_t>(at - here.begin()));
  }

 private:
  std::vector<std::vector<std::byte>> arrays_;
};

// Grains for some pages of the largest array, and for every thread where these are not too large.
std::int64_t small_iterations(const OwnKernel& kernel, int threads) {
  const auto grains = [&kernel](std::uint64_t bytes) {
    const auto fit = iterations_of_array(kernel, bytes);
    return fit ? *fit / kernel.grain : 0;
  };
  const std::int64_t wanted = std::max<std::int64_t>(kLeastGrains, 2 * threads + 1);
  const std::int64_t affordable = std::max<std::int64_t>(grains(kFewGrains), 2);
  return std::max(grains(kSmallArray), std::min(wanted, affordable)) * kernel.grain;
}

// The numbers of iterations with which each array in turn ends at a multiple of 64 bytes, and so
// right before an inaccessible page.
std::set<std::int64_t> flush_iterations(const OwnKernel& kernel, std::int64_t iterations) {
  std::set<std::int64_t> found{iterations};
  for (const OwnArray& array : kernel.arrays) {
    for (std::int64_t more = 0; more < 64; ++more) {
      const std::int64_t candidate = iterations + more * kernel.grain;
      if (array.array_bytes(candidate) % 64 == 0) {
        found.insert(candidate);
        break;
      }
    }
  }
  return found;
}

class Checker {
 public:
  Checker(const OwnKernel& kernel, const Team& team, const OwnCheckRequest& request)
      : kernel_(kernel),
        team_(team),
        request_(request),
        iterations_(small_iterations(kernel, team.size())) {}

  Result<OwnCheck> check() {
    STREAMGAGE_TRY(check_room());
    OwnCheck outcome;
    outcome.iterations = iterations_;
    if (const Checked passed = check_all(outcome); !passed) {
      const Verdict& verdict = passed.error();
      if (verdict.error) {
        return tl::unexpected(*verdict.error);
      }
      outcome.failure = verdict.failure;
    }
    return outcome;
  }

 private:
  // A grain of some GiB may fit into the one set of arrays that the measurement has.
  [[nodiscard]] Result<void> check_room() const {
    const std::int64_t most = std::max(iterations_, request_.iterations.value_or(0));
    const std::uint64_t needed = std::max(kSetsAtOnce * all_arrays_bytes(kernel_, iterations_),
                                          all_arrays_bytes(kernel_, most));
    if (needed <= request_.free_bytes) {
      return {};
    }
    return failure(
        fmt::format("the checks of the kernel {} need {} of memory, but only {} are free; declare "
                    "a smaller grain or fewer extra elements",
                    kernel_.name, format_bytes(needed), format_bytes(request_.free_bytes)));
  }

  // Notes in the outcome which checks are passed.
  Checked check_all(OwnCheck& outcome) const {
    outcome.checked.emplace_back("declaration");
    STREAMGAGE_TRY(check_guards());
    outcome.checked.emplace_back("guard-pages");
    STREAMGAGE_TRY(check_fill());
    STREAMGAGE_TRY(check_accesses());
    outcome.checked.emplace_back("accesses");
    STREAMGAGE_TRY(check_ranges());
    outcome.checked.emplace_back("ranges");
    STREAMGAGE_TRY(check_division());
    outcome.checked.emplace_back("division");
    STREAMGAGE_TRY(check_at_work(outcome));
    if (kernel_.check != nullptr) {
      outcome.checked.emplace_back("result");
    }
    return {};
  }

  [[nodiscard]] Result<OwnArrays> arrays(Guards guards, std::int64_t iterations) const {
    return OwnArrays::reserve(kernel_, iterations, {guards, PageSize::kSmall, {}},
                              request_.timeout_seconds);
  }

  [[nodiscard]] tl::unexpected<Verdict> fail(FailureReason reason, const std::string& what) const {
    return tl::unexpected<Verdict>(failure_of(kernel_, reason, what));
  }

  // After a call, on arrays with guards.
  [[nodiscard]] Checked check_damage(const std::optional<Death>& death,
                                     const OwnArrays& arrays) const {
    if (death) {
      return fail(death->reason, death->what);
    }
    if (const auto damage = arrays.damage()) {
      return fail(FailureReason::kOutside, *damage);
    }
    return {};
  }

  // Fills the arrays; those that the kernel only writes hold no number that it would leave there.
  [[nodiscard]] Checked fill(const OwnArrays& arrays) const {
    const Range all{0, arrays.iterations()};
    arrays.paint();
    arrays.fill_plainly(all);
    auto death = try_call(arrays.watched(), [&] { arrays.fill_by_kernel(all); });
    if (death) {
      death->what += ", in its function fill";
    }
    for (std::size_t number = 0; number < kernel_.arrays.size(); ++number) {
      if (!kernel_.arrays[number].is_read) {
        const GuardedArray& array = arrays.arrays()[number];
        std::memset(array.data(), kUnwritten, array.bytes());
      }
    }
    return check_damage(death, arrays);
  }

  [[nodiscard]] Checked run(const OwnArrays& arrays, const Range& range) const {
    if (stop_signal() != 0) {
      return fail(FailureReason::kCheck, "was not checked to the end");
    }
    const streamgage_call call = arrays.call(range, kScalar);
    return check_damage(try_call(arrays.watched(), [&] { kernel_.run(&call); }), arrays);
  }

  [[nodiscard]] Checked check_guards() const {
    STREAMGAGE_TRY(check_guards(Guards::kStart, iterations_));
    for (const std::int64_t iterations : flush_iterations(kernel_, iterations_)) {
      STREAMGAGE_TRY(check_guards(Guards::kEnd, iterations));
    }
    return {};
  }

  [[nodiscard]] Checked check_guards(Guards guards, std::int64_t iterations) const {
    STREAMGAGE_TRY(const auto reserved, arrays(guards, iterations));
    STREAMGAGE_TRY(fill(reserved));
    return run(reserved, {0, iterations});
  }

  // What the other checks rely on: what differs after a run was written by the run.
  [[nodiscard]] Checked check_fill() const {
    STREAMGAGE_TRY(const auto reserved, arrays(Guards::kApart, iterations_));
    STREAMGAGE_TRY(fill(reserved));
    const Snapshot first(reserved);
    STREAMGAGE_TRY(fill(reserved));
    const Snapshot second(reserved);
    for (std::size_t number = 0; number < kernel_.arrays.size(); ++number) {
      if (const auto element = first_difference(first, second, number)) {
        return fail(FailureReason::kDeclaration,
                    fmt::format("has a function fill that gives element {} of its array {} a "
                                "different value each time; compute the values from the index",
                                *element, kernel_.arrays[number].name));
      }
    }
    return {};
  }

  [[nodiscard]] Checked check_accesses() const {
    STREAMGAGE_TRY(const auto reserved, arrays(Guards::kStart, iterations_));
    STREAMGAGE_TRY(const auto proof, prove_accesses(kernel_, reserved));
    if (proof.death) {
      return fail(proof.death->reason, proof.death->what);
    }
    if (const auto wrong = undeclared_access(kernel_, proof)) {
      return fail(FailureReason::kAccess, *wrong);
    }
    return {};
  }

  // No element is written for the iterations of either of two parts.
  [[nodiscard]] Checked check_ranges() const {
    STREAMGAGE_TRY(const auto reserved, arrays(Guards::kApart, iterations_));
    const std::int64_t grains = iterations_ / kernel_.grain;
    // An odd number, so that vectors do not end there.
    const std::int64_t middle = std::min((grains / 2) | 1, grains - 1) * kernel_.grain;
    STREAMGAGE_TRY(fill(reserved));
    STREAMGAGE_TRY(run(reserved, {0, middle}));
    const Snapshot first(reserved);
    STREAMGAGE_TRY(fill(reserved));
    const Snapshot before(reserved);
    STREAMGAGE_TRY(run(reserved, {middle, iterations_}));
    const Snapshot second(reserved);
    for (std::size_t number = 0; number < kernel_.arrays.size(); ++number) {
      const std::size_t size = size_of(kernel_.arrays[number].type);
      for (std::size_t at = 0; at < before.bytes(number); at += size) {
        if (first.differs(before, number, at, size) && second.differs(before, number, at, size)) {
          return fail(FailureReason::kOutside,
                      fmt::format("writes outside its range: element {} of its array {} is written "
                                  "for the iterations 0 to {} and again for those from {} on",
                                  at / size, kernel_.arrays[number].name, middle - 1, middle));
        }
      }
    }
    return {};
  }

  // Of an array, the first element in which two contents differ.
  [[nodiscard]] std::optional<std::size_t> first_difference(const Snapshot& left,
                                                            const Snapshot& right,
                                                            std::size_t number) const {
    const auto at = left.first_difference(right, number);
    return at ? std::optional(*at / size_of(kernel_.arrays[number].type)) : std::nullopt;
  }

  [[nodiscard]] Checked compare(const Snapshot& whole, const OwnArrays& arrays,
                                std::size_t parts) const {
    const Snapshot divided(arrays);
    for (std::size_t number = 0; number < kernel_.arrays.size(); ++number) {
      if (const auto element = first_difference(whole, divided, number)) {
        return fail(
            FailureReason::kDivision,
            fmt::format("gives another result when its iterations are divided into {} ranges: "
                        "element {} of its array {} differs from the result of a single range",
                        parts, *element, kernel_.arrays[number].name));
      }
    }
    return {};
  }

  // The same bits from one range, from unequal ones one after the other, and from those of all
  // threads at once.
  [[nodiscard]] Checked check_division() const {
    STREAMGAGE_TRY(const auto reserved, arrays(Guards::kApart, iterations_));
    STREAMGAGE_TRY(fill(reserved));
    STREAMGAGE_TRY(run(reserved, {0, iterations_}));
    const Snapshot whole(reserved);

    const std::int64_t grains = iterations_ / kernel_.grain;
    const std::int64_t first = grains / 5 * kernel_.grain;
    const std::int64_t second = (grains / 2 + 1) * kernel_.grain;
    const std::vector<Range> unequal{{second, iterations_}, {0, first}, {first, second}};
    STREAMGAGE_TRY(fill(reserved));
    for (const Range& range : unequal) {
      STREAMGAGE_TRY(run(reserved, range));
    }
    STREAMGAGE_TRY(compare(whole, reserved, unequal.size()));

    const std::vector<Range> parts = partition_iterations(kernel_, iterations_, team_.size());
    STREAMGAGE_TRY(fill(reserved));
    run_by_team(reserved, parts);
    STREAMGAGE_TRY(check_damage(std::nullopt, reserved));
    return compare(whole, reserved, parts.size());
  }

  // Each thread its part, all at once; a death ends the process, after a record of it.
  void run_by_team(const OwnArrays& arrays, const std::vector<Range>& parts) const {
    team_.each([](int /*thread*/) { prepare_thread(); });
    const GuardedRun guarded(arrays.watched());
    team_.each([&](int thread) {
      const streamgage_call call = arrays.call(parts[static_cast<std::size_t>(thread)], kScalar);
      kernel_.run(&call);
    });
  }

  // The kernel's own check, and all of its size where that is asked for.
  Checked check_at_work(OwnCheck& outcome) const {
    outcome.iterations = std::max(iterations_, request_.iterations.value_or(0));
    STREAMGAGE_TRY(check_at_work(Guards::kApart, iterations_));
    if (request_.iterations) {
      STREAMGAGE_TRY(check_at_work(Guards::kStart, *request_.iterations));
      STREAMGAGE_TRY(check_at_work(Guards::kEnd, *request_.iterations));
    }
    return {};
  }

  [[nodiscard]] Checked check_at_work(Guards guards, std::int64_t iterations) const {
    // It does not outlive the call, and shares nothing.
    const SharedOwnKernel shared(SharedOwnKernel{}, &kernel_);
    STREAMGAGE_TRY(auto workload, OwnWorkload::reserve(shared, iterations, team_.size(),
                                                       {guards, request_.pages, request_.nodes},
                                                       request_.timeout_seconds));
    if (const auto failure = workload.run_and_check(team_, kScalar, {}).failure) {
      return tl::unexpected<Verdict>(*failure);
    }
    return {};
  }

  const OwnKernel& kernel_;
  const Team& team_;
  const OwnCheckRequest& request_;
  std::int64_t iterations_;
};

}  // namespace

Result<OwnCheck> check_own_kernel(const OwnKernel& kernel, const Team& team,
                                  const OwnCheckRequest& request) {
  return Checker(kernel, team, request).check();
}

Json to_record(const OwnKernel& kernel, const OwnCheck& check) {
  return to_json(record::KernelCheck{.kernel = kernel.name,
                                     .source = kernel.source,
                                     .iterations = check.iterations,
                                     .checked = {check.checked.begin(), check.checked.end()}});
}

}  // namespace streamgage::engine
