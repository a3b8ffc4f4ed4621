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
constexpr double kScalar = 0.5;
constexpr int kUnwritten = 0xa5;  // of every byte of an array that is written and not read

using Found = std::optional<KernelFailure>;
using Bytes = std::vector<std::byte>;

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
    OwnCheck outcome;
    outcome.iterations = iterations_;
    outcome.checked.emplace_back("declaration");
    const auto note = [&outcome](const Result<Found>& found, std::string_view name) {
      if (found && !*found) {
        if (!name.empty()) {
          outcome.checked.push_back(name);
        }
      } else if (found) {
        outcome.failure = *found;
      }
      return found && !*found;
    };
    Result<Found> found = check_guards();
    bool goes_on = note(found, "guard-pages");
    if (goes_on) {
      goes_on = note(found = check_fill(), {});
    }
    if (goes_on) {
      goes_on = note(found = check_accesses(), "accesses");
    }
    if (goes_on) {
      goes_on = note(found = check_ranges(), "ranges");
    }
    if (goes_on) {
      goes_on = note(found = check_division(), "division");
    }
    if (goes_on) {
      goes_on = check_at_work(outcome, found);
    }
    if (!found) {
      return tl::unexpected<Error>(found.error());
    }
    return outcome;
  }

 private:
  [[nodiscard]] Result<OwnArrays> arrays(Guards guards, std::int64_t iterations) const {
    return OwnArrays::reserve(kernel_, iterations, {guards, false, {}}, request_.limits);
  }

  [[nodiscard]] Found fail(FailureReason reason, const std::string& what) const {
    return failure_of(kernel_, reason, what);
  }

  [[nodiscard]] Found told(const std::optional<Death>& death, const OwnArrays& arrays) const {
    if (death) {
      return fail(death->reason, death->what);
    }
    const auto damage = arrays.damage();
    return damage ? fail(FailureReason::kOutside, *damage) : std::nullopt;
  }

  // Fills the arrays; those that the kernel only writes hold no number that it would leave there.
  [[nodiscard]] Found fill(const OwnArrays& arrays) const {
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
    return told(death, arrays);
  }

  [[nodiscard]] Found run(const OwnArrays& arrays, const Range& range) const {
    if (stop_signal() != 0) {
      return fail(FailureReason::kCheck, "was not checked to the end");
    }
    const streamgage_call call = arrays.call(range, kScalar);
    return told(try_call(arrays.watched(), [&] { kernel_.run(&call); }), arrays);
  }

  static std::vector<Bytes> contents(const OwnArrays& arrays) {
    std::vector<Bytes> all;
    for (const GuardedArray& array : arrays.arrays()) {
      all.emplace_back(array.memory().begin(), array.memory().end());
    }
    return all;
  }

  [[nodiscard]] Result<Found> check_guards(Guards guards, std::int64_t iterations) const {
    STREAMGAGE_TRY(const auto reserved, arrays(guards, iterations));
    if (auto failure = fill(reserved)) {
      return failure;
    }
    return run(reserved, {0, iterations});
  }

  [[nodiscard]] Result<Found> check_guards() const {
    auto found = check_guards(Guards::kStart, iterations_);
    for (const std::int64_t iterations : flush_iterations(kernel_, iterations_)) {
      if (!found || *found) {
        return found;
      }
      found = check_guards(Guards::kEnd, iterations);
    }
    return found;
  }

  // What the other checks go by: that what differs after a run was written by it.
  [[nodiscard]] Result<Found> check_fill() const {
    STREAMGAGE_TRY(const auto reserved, arrays(Guards::kApart, iterations_));
    std::vector<std::vector<Bytes>> fills;
    for (int number = 0; number < 2; ++number) {
      if (auto failure = fill(reserved)) {
        return failure;
      }
      fills.push_back(contents(reserved));
    }
    for (std::size_t number = 0; number < kernel_.arrays.size(); ++number) {
      const auto at = first_difference(fills[0], fills[1], number);
      if (at) {
        return fail(FailureReason::kDeclaration,
                    fmt::format("has a function fill that gives element {} of its array {} another "
                                "value each time: take the values from the index",
                                *at, kernel_.arrays[number].name));
      }
    }
    return Found{};
  }

  [[nodiscard]] Result<Found> check_accesses() const {
    STREAMGAGE_TRY(const auto reserved, arrays(Guards::kStart, iterations_));
    STREAMGAGE_TRY(const auto proof, prove_accesses(kernel_, reserved));
    if (proof.death) {
      return fail(proof.death->reason, proof.death->what);
    }
    const auto wrong = undeclared_access(kernel_, proof);
    return wrong ? fail(FailureReason::kAccess, *wrong) : std::nullopt;
  }

  // No element is written for the iterations of either of two parts.
  [[nodiscard]] Result<Found> check_ranges() const {
    STREAMGAGE_TRY(const auto reserved, arrays(Guards::kApart, iterations_));
    const std::int64_t grains = iterations_ / kernel_.grain;
    // An odd number, so that vectors do not end there.
    const std::int64_t middle = std::min((grains / 2) | 1, grains - 1) * kernel_.grain;
    std::vector<std::vector<Bytes>> results;
    std::vector<Bytes> before;
    for (const Range& part : {Range{0, middle}, Range{middle, iterations_}}) {
      if (auto failure = fill(reserved)) {
        return failure;
      }
      before = contents(reserved);
      if (auto failure = run(reserved, part)) {
        return failure;
      }
      results.push_back(contents(reserved));
    }
    for (std::size_t number = 0; number < kernel_.arrays.size(); ++number) {
      const std::size_t size = size_of(kernel_.arrays[number].type);
      for (std::size_t at = 0; at < before[number].size(); at += size) {
        const auto changed_by = [&](std::size_t part) {
          return std::memcmp(before[number].data() + at, results[part][number].data() + at, size) !=
                 0;
        };
        if (changed_by(0) && changed_by(1)) {
          return fail(FailureReason::kOutside,
                      fmt::format("writes outside its range: element {} of its array {} is written "
                                  "for the iterations 0 to {} and again for those from {} on",
                                  at / size, kernel_.arrays[number].name, middle - 1, middle));
        }
      }
    }
    return Found{};
  }

  // Of an array, the first element in which two contents of all arrays differ.
  [[nodiscard]] std::optional<std::size_t> first_difference(const std::vector<Bytes>& left,
                                                            const std::vector<Bytes>& right,
                                                            std::size_t number) const {
    const auto [at, other] =
        std::mismatch(left[number].begin(), left[number].end(), right[number].begin());
    if (at == left[number].end()) {
      return std::nullopt;
    }
    return static_cast<std::size_t>(at - left[number].begin()) /
           size_of(kernel_.arrays[number].type);
  }

  [[nodiscard]] Found compare(const std::vector<Bytes>& whole, const OwnArrays& arrays,
                              std::size_t parts) const {
    const std::vector<Bytes> divided = contents(arrays);
    for (std::size_t number = 0; number < kernel_.arrays.size(); ++number) {
      if (const auto element = first_difference(whole, divided, number)) {
        return fail(FailureReason::kDivision,
                    fmt::format("gives another result where its iterations are divided into {} "
                                "ranges: element {} of its array {} differs from that of a single "
                                "range",
                                parts, *element, kernel_.arrays[number].name));
      }
    }
    return std::nullopt;
  }

  // The same bits from one range, from unequal ones one after the other, and from those of all
  // threads at once.
  [[nodiscard]] Result<Found> check_division() const {
    STREAMGAGE_TRY(const auto reserved, arrays(Guards::kApart, iterations_));
    const Range all{0, iterations_};
    auto failure = fill(reserved);
    if (!failure) {
      failure = run(reserved, all);
    }
    if (failure) {
      return failure;
    }
    const std::vector<Bytes> whole = contents(reserved);
    const std::int64_t grains = iterations_ / kernel_.grain;
    const std::int64_t first = grains / 5 * kernel_.grain;
    const std::int64_t second = (grains / 2 + 1) * kernel_.grain;
    const std::vector<Range> unequal{{second, iterations_}, {0, first}, {first, second}};
    failure = fill(reserved);
    for (const Range& range : unequal) {
      failure = failure ? failure : run(reserved, range);
    }
    failure = failure ? failure : compare(whole, reserved, unequal.size());
    failure = failure ? failure : fill(reserved);
    if (failure) {
      return failure;
    }
    const std::vector<Range> parts = partition_iterations(kernel_, iterations_, team_.size());
    team_.each([](int /*thread*/) { prepare_thread(); });
    {
      const GuardedRun guarded(reserved.watched());
      team_.each([&](int thread) {
        const streamgage_call call =
            reserved.call(parts[static_cast<std::size_t>(thread)], kScalar);
        kernel_.run(&call);
      });
    }
    failure = told(std::nullopt, reserved);
    return failure ? failure : compare(whole, reserved, parts.size());
  }

  // The kernel's own check, and all of its size where that is asked for.
  bool check_at_work(OwnCheck& outcome, Result<Found>& found) const {
    std::vector<std::pair<Guards, std::int64_t>> runs{{Guards::kApart, iterations_}};
    if (request_.iterations) {
      outcome.iterations = std::max(iterations_, *request_.iterations);
      runs.emplace_back(Guards::kStart, *request_.iterations);
      runs.emplace_back(Guards::kEnd, *request_.iterations);
    }
    for (const auto& [guards, iterations] : runs) {
      // It does not outlive the call, and shares nothing.
      const SharedOwnKernel shared(SharedOwnKernel{}, &kernel_);
      auto workload =
          OwnWorkload::reserve(shared, iterations, team_.size(),
                               {guards, request_.huge_pages, request_.nodes}, request_.limits);
      if (!workload) {
        found = tl::unexpected<Error>(workload.error());
        return false;
      }
      outcome.failure = workload->run_and_check(team_, kScalar, {}).failure;
      if (outcome.failure) {
        return false;
      }
    }
    if (kernel_.check != nullptr) {
      outcome.checked.emplace_back("result");
    }
    return true;
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
  return {{"record", "kernel-check"},
          {"kernel", kernel.name},
          {"source", kernel.source},
          {"iterations", check.iterations},
          {"checked", check.checked}};
}

}  // namespace streamgage::engine
