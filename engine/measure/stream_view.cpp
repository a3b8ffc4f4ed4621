#include "measure/stream_view.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "contract/stream_view.hpp"
#include "kernels/make_variant.hpp"
#include "measure/course.hpp"
#include "measure/pass_time.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/memory/pages.hpp"
#include "streamgage/placement/binding.hpp"

namespace streamgage::engine {
namespace {

// As STREAM has them: NTIMES, and the order of its kernels. The first pass of each is left out.
constexpr int kRepetitions = 10;
constexpr KernelId kOrderOfStream[] = {KernelId::kCopy, KernelId::kScale, KernelId::kAdd,
                                       KernelId::kTriad};
constexpr int kPairs = 9;  // of passes that differ in pages alone; the first one is left out
static_assert(kPassesOfStreamView == 4 * kRepetitions + 2 * kPairs);

// Gives a team's threads their CPUs back when it is destroyed.
class Rebinding {
 public:
  explicit Rebinding(const Team& team) : team_(team) {}
  Rebinding(const Rebinding&) = delete;
  Rebinding& operator=(const Rebinding&) = delete;
  Rebinding(Rebinding&&) = delete;
  Rebinding& operator=(Rebinding&&) = delete;
  ~Rebinding() {
    team_.each([this](int thread) {
      (void)bind_this_thread(team_.masks()[static_cast<std::size_t>(thread)]);
    });
  }

 private:
  const Team& team_;
};

class Measurement {
 public:
  explicit Measurement(const StreamViewRequest& request) : request_(request) {}

  tl::expected<std::optional<StreamView>, Stop> measure() {
    StreamView view;
    view.size = request_.decision.size;
    for (const KernelId id : kOrderOfStream) {
      auto variant = plain_loop(id);
      if (!variant) {
        return std::nullopt;
      }
      view.kernels.push_back({std::move(*variant)});
    }
    STREAMGAGE_TRY(const bool is_whole, pass_as_stream(view));
    if (!is_whole) {
      return std::nullopt;
    }
    if (request_.own != nullptr) {
      STREAMGAGE_TRY(view.pairs, compare_pages(view.kernels.back().variant));
    }
    return view;
  }

 private:
  [[nodiscard]] std::optional<Variant> plain_loop(KernelId id) const {
    const auto* const kernel = std::find_if(kCatalogue.begin(), kCatalogue.end(),
                                            [id](const Kernel& each) { return each.id == id; });
    auto variant =
        make_variant(*kernel, StoreMode::kPlain, request_.plan, vector_targets().front());
    if (!variant) {
      return std::nullopt;
    }
    variant->id = request_.first_id + static_cast<int>(id);
    return std::move(*variant);
  }

  [[nodiscard]] Result<Workload> arrays_of_the_system(const Team& team) const {
    const Decision& decision = request_.decision;
    return Workload::reserve(decision.size, request_.plan.type, kArraysOfStream, team.size(),
                             {PageSize::kSystem,
                              {},
                              std::nullopt,
                              {request_.plan.init, decision.seed},
                              has_cpu_a_thread(request_.machine, decision.placement, team.size())});
  }

  [[nodiscard]] tl::expected<bool, Stop> has_time() const {
    STREAMGAGE_TRY(request_.go_on());
    return seconds_between(start_, now()) < request_.budget_seconds;
  }

  static Result<RunOutcome> pass(Workload& workload, const Team& team, const Variant& variant) {
    RunOutcome outcome = workload.run(team, variant, 1);
    if (!outcome.spot_check_passed) {
      return failure(
          fmt::format("{} left wrong values in an array when it ran as in STREAM; test the memory "
                      "of this machine",
                      variant.kernel->name));
    }
    return outcome;
  }

  // Returns false if the time was up.
  tl::expected<bool, Stop> pass_as_stream(StreamView& view) const {
    const Rebinding rebinding(request_.team);
    Placement placement;
    placement.kind = PlacementKind::kNone;
    placement.threads =
        request_.plan.placement.threads ? request_.team.size() : runtime_thread_count();
    STREAMGAGE_TRY(const auto team, Team::assemble(placement));
    team.each([this](int) { (void)bind_this_thread(request_.machine.allowed_cpus); });
    view.threads = team.size();
    STREAMGAGE_TRY(auto arrays, arrays_of_the_system(team));
    arrays.touch(team);
    view.huge_share = huge_page_share(arrays.array(0));
    for (int repetition = 0; repetition < kRepetitions; ++repetition) {
      for (StreamPasses& kernel : view.kernels) {
        STREAMGAGE_TRY(const bool goes_on, has_time());
        if (!goes_on) {
          return false;
        }
        STREAMGAGE_TRY(const auto outcome, pass(arrays, team, kernel.variant));
        if (repetition > 0) {
          kernel.seconds.push_back(outcome.timing.seconds);
          kernel.switches.push_back(outcome.timing.switches);
        }
      }
    }
    return true;
  }

  // Returns the pairs for which there was time. The threads are bound, as in the rest of the run.
  [[nodiscard]] tl::expected<PagePairs, Stop> compare_pages(const Variant& triad) const {
    PagePairs pairs;
    const Team& team = request_.team;
    STREAMGAGE_TRY(auto arrays, arrays_of_the_system(team));
    arrays.touch(team);
    for (int pair = 0; pair < kPairs; ++pair) {
      STREAMGAGE_TRY(const bool goes_on, has_time());
      if (!goes_on) {
        break;
      }
      STREAMGAGE_TRY(const auto own, pass(*request_.own, team, triad));
      STREAMGAGE_TRY(const auto system, pass(arrays, team, triad));
      const PassTime of_own = pass_time(own.timing, own.walks, 1);
      const PassTime of_system = pass_time(system.timing, system.walks, 1);
      const bool is_paused =
          engine::is_paused(triad, own.timing) || engine::is_paused(triad, system.timing);
      if (pair > 0 && of_own.seconds && of_system.seconds && !is_paused) {
        pairs.own_seconds.push_back(*of_own.seconds);
        pairs.system_seconds.push_back(*of_system.seconds);
      }
    }
    return pairs;
  }

  const StreamViewRequest& request_;
  Instant start_ = now();
};

}  // namespace

tl::expected<std::optional<StreamView>, Stop> measure_stream_view(
    const StreamViewRequest& request) {
  return Measurement(request).measure();
}

Json to_record(const StreamView& view, ElementType type) {
  record::StreamView written{.threads = view.threads,
                             .array_bytes = view.size.bytes,
                             .huge_share = view.huge_share,
                             .kernels = {},
                             .pairs = std::nullopt};
  for (const StreamPasses& passes : view.kernels) {
    const Kernel& kernel = *passes.variant.kernel;
    written.kernels.push_back({.kernel = std::string(kernel.name),
                               .bytes = kernel.nominal_bytes(size_of(type)) *
                                        static_cast<std::size_t>(view.size.elements),
                               .seconds = passes.seconds,
                               .switches = {passes.switches.begin(), passes.switches.end()}});
  }
  if (view.pairs) {
    written.pairs = record::PagePairs{.own_seconds = view.pairs->own_seconds,
                                      .system_seconds = view.pairs->system_seconds};
  }
  return to_json(written);
}

}  // namespace streamgage::engine
