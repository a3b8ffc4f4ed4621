#include "measure/session.hpp"

#include <sched.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "contract/setting.hpp"
#include "latency/latency.hpp"
#include "measure/block_order.hpp"
#include "measure/likwid/marked_region.hpp"
#include "measure/own/own_kernels.hpp"
#include "measure/run.hpp"
#include "measure/stop_signal.hpp"
#include "measure/stream_view.hpp"
#include "measure/thread_series.hpp"
#include "measure/tiers.hpp"
#include "measure/tuning/choose_shapes.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/core_clock.hpp"
#include "streamgage/memory/memory_nodes.hpp"

namespace streamgage::engine {
namespace {

constexpr int kSeriesRounds = 11;
// The walks through the chain; it is measured where all of it is a small part of the time.
constexpr double kSecondsOfWalks = 2.0;
constexpr double kLatencyOfTime = 3.0;
// What STREAM would print is measured where that is a small part of the time, too. A first touch of
// small pages takes some times as long as one of huge pages.
constexpr double kStreamViewOfTime = 2.0;
constexpr double kSmallOverHugeTouch = 4.0;
constexpr double kPartOfFreeMemory = 0.9;
// Of the time that is left for races and for samples of what they find.
constexpr double kShareOfSearch = 0.5;

// The threads of this process.
class ThreadWorkers final : public Workers {
 public:
  ThreadWorkers(Run& run, const Team& team, Workload& workload,
                std::optional<CountersFound> counters)
      : run_(run),
        plan_(run.plan),
        decision_(run.decision),
        team_(team),
        workload_(workload),
        counting_(std::move(counters)) {}

  [[nodiscard]] int threads() const override { return team_.size(); }

  [[nodiscard]] Json placement_record() const override {
    return engine::placement_record(run_.machine, decision_.placement, team_);
  }

  [[nodiscard]] int arrays() const override { return workload_.arrays(); }

  Result<PageSurvey> touch() override {
    return survey_pages(run_.machine, decision_.memory_nodes, workload_, workload_.touch(team_));
  }

  Result<PageSurvey> renew(int arrays) override {
    STREAMGAGE_TRY(workload_.renew(arrays));
    return touch();
  }

  Result<SampleOutcome> run(const Variant& variant, std::int64_t passes) override {
    const RunOutcome outcome = counting_.run(team_, workload_, variant, passes);
    return SampleOutcome{
        {outcome.timing, {}, outcome.walks}, outcome.spot_check_passed, outcome.failure};
  }

  Result<Check> check_array(int number) override { return workload_.check_array(team_, number); }

  Result<CheckedSample> run_and_check(const Variant& variant) override {
    CheckedSample checked;
    checked.check = workload_.run_and_check(team_, variant, checked.sample.timing);
    return checked;
  }

  Result<void> watch() override {
    load_.emplace(cpus_in_use(run_.machine, decision_.placement), FileRoots{});
    return {};
  }

  Result<std::optional<Disturbance>> since_last(int block, double least_seconds) override {
    return load_->since_last(block, least_seconds);
  }

  Step before_touch() override {
    STREAMGAGE_TRY(check_own_kernels(run_.machine, plan_, team_, decision_, workload_, run_.records,
                                     run_.failures));
    // Where no arrays are touched, so that the memory for it need not be free next to theirs.
    const bool is_now = plan_.tiers.empty() || plan_.idle_latency;
    if (is_now && !plan_.check_kernels) {
      STREAMGAGE_TRY(measure_idle_latency());
    }
    return {};
  }

  Step before_variants() override {
    STREAMGAGE_TRY(run_.records.write_unless_null(counting_.survey_record()));
    STREAMGAGE_TRY(
        run_.records.write_unless_null(counting_.calibrate(plan_, decision_, team_, workload_)));
    if (counting_.is_counting()) {
      leave_out_evidence(decision_.choice);
    }
    if (!searches_last(plan_)) {
      return search([this](const TuningObserver& observe) {
        return choose_shapes(
            plan_, team_, workload_, decision_, [this] { return !run_.go_on(); }, observe);
      });
    }
    ShapeChoice choice = settle_shapes(plan_, decision_);
    for (const Tuning& tuning : choice.tunings) {
      STREAMGAGE_TRY(run_.records.write(to_record(tuning)));
    }
    open_shapes_ = std::move(choice.open);
    take_shapes(plan_, choice.tunings, decision_);
    return {};
  }

  Step after_sample(const Variant& variant, std::int64_t passes) override {
    STREAMGAGE_TRY(
        run_.records.write_unless_null(counting_.take(variant, run_.so_far.block, passes)));
    return {};
  }

  Step before_tier(int tier, double seconds_left) override {
    return tier == tier_of_search(plan_) ? search_last(seconds_left) : Step{};
  }

  Step after_tier(int tier) override {
    const double left = plan_.sampling.budget_seconds - seconds_between(run_.start, now());
    if (tier == 0) {
      STREAMGAGE_TRY((plan_.checks ? measure_series() : Step{}));
      return plan_.stream_view ? view_as_stream(left) : Step{};
    }
    if (plan_.checks && tier == 1 && !plan_.idle_latency &&
        left > kLatencyOfTime * seconds_of_latency()) {
      workload_.release();
      STREAMGAGE_TRY(measure_idle_latency());
    }
    return {};
  }

  Step after_blocks() override {
    if (plan_.core_clock) {
      STREAMGAGE_TRY(run_.records.write(core_clock_record()));
    }
    return plan_.checks && plan_.tiers.empty() ? measure_series() : Step{};
  }

 private:
  // Where there is no memory for it, the checks do without; a plan that asks for it by name has
  // failed.
  Result<void> measure_idle_latency() {
    if (!plan_.checks && !plan_.idle_latency) {
      return {};
    }
    const auto latency = latency_request().and_then(&measure_latency);
    if (!latency && !plan_.idle_latency) {
      return {};
    }
    STREAMGAGE_TRY(const Latency measured, latency);
    return run_.records.write(to_json(record_of(measured)));
  }

  [[nodiscard]] Result<LatencyRequest> latency_request() const {
    return engine::latency_request(run_.machine, team_.cpus().front(), decision_.memory_nodes);
  }

  // Leaves it out where it would take too much of the time or of the memory.
  Step view_as_stream(double seconds_left) {
    double seconds_of_pass = 0.0;
    for (const Course& course : run_.courses) {
      seconds_of_pass = std::max(seconds_of_pass, seconds_of_a_pass(course).value_or(0.0));
    }
    const double touches = 2.0 * kArraysOfStream / std::max(workload_.arrays(), 1);
    const double seconds = kPassesOfStreamView * seconds_of_pass +
                           kSmallOverHugeTouch * touches * run_.first_touch_seconds;
    const auto room = static_cast<std::uint64_t>(
        kPartOfFreeMemory *
        static_cast<double>(
            free_memory(memory_budget(run_.machine, decision_.memory_nodes)).bytes));
    const std::uint64_t needed = kArraysOfStream * decision_.size.bytes;
    if (seconds_left < kStreamViewOfTime * seconds || needed > room) {
      return {};
    }
    const auto arrays = static_cast<std::uint64_t>(workload_.arrays());
    const bool are_both_there =
        arrays >= kArraysOfStream && needed + arrays * decision_.size.bytes <= room;
    if (!are_both_there) {
      workload_.release();
    }
    STREAMGAGE_TRY(
        const auto view,
        measure_stream_view({run_.machine, plan_, decision_, team_,
                             are_both_there ? &workload_ : nullptr, run_.next_id,
                             seconds_left / kStreamViewOfTime, [this] { return run_.go_on(); }}));
    if (view) {
      STREAMGAGE_TRY(run_.records.write(to_record(*view, plan_.type)));
    }
    return {};
  }

  // One thread fills the chain, maybe with pages as slow to get as those of the first touch.
  [[nodiscard]] double seconds_of_latency() const {
    const auto request = latency_request();
    const double touched = static_cast<double>(decision_.size.bytes) * workload_.arrays();
    if (!request || touched == 0.0) {
      return 0.0;
    }
    const auto bytes = static_cast<double>(request->bytes);
    return kSecondsOfWalks + bytes / touched * run_.first_touch_seconds * team_.size();
  }

  // Of the first thread's core, right after the kernels: they may have changed it.
  [[nodiscard]] Json core_clock_record() const {
    std::optional<double> hertz;
    int cpu = 0;
    team_.each([&](int thread) {
      if (thread == 0) {
        hertz = measure_core_clock();
        cpu = sched_getcpu();
      }
    });
    return to_json(record::CoreClock{.hertz = hertz, .cpu = cpu});
  }

  // Lets `races` look for shapes; false of it where it was stopped.
  template <class Races>
  Step search(Races&& races) {
    const Instant start = now();
    Result<void> written;
    const bool searched = races([&](const Tuning& tuning) {
      written = run_.records.write(to_record(tuning));
      return written.has_value();
    });
    run_.spent.tuning_seconds += seconds_between(start, now());
    if (!searched) {
      STREAMGAGE_TRY(written);
      return tl::unexpected(Stop(stop_signal()));
    }
    return {};
  }

  // Looks for shapes in the time that everything else leaves, and adds those that are quicker. As
  // many are sought as there is time for, those of the first tiers first; later runs seek the rest.
  Step search_last(double seconds_left) {
    std::vector<Course> open;
    for (const Course& course : run_.courses) {
      const bool is_open = std::any_of(open_shapes_.begin(), open_shapes_.end(),
                                       [&](const Variant& one) { return is_same(one, course); });
      if (is_open && course.variant.purpose == Purpose::kRate && seconds_of_a_pass(course)) {
        open.push_back(course);
      }
    }
    std::stable_sort(open.begin(), open.end(), [](const Course& one, const Course& other) {
      return std::tuple(one.place.tier, one.place.place) <
             std::tuple(other.place.tier, other.place.place);
    });
    const double budget = std::min(kShareOfSearch * seconds_left, plan_.tuning->budget_seconds);
    // No race gets less than its share of the time that the plan has for all.
    const double share = plan_.tuning->budget_seconds /
                         static_cast<double>(std::max<std::size_t>(open_shapes_.size(), 1));
    open.resize(std::min(open.size(), static_cast<std::size_t>(std::max(budget, 0.0) / share)));
    std::vector<Variant> variants;
    variants.reserve(open.size());
    for (const Course& course : open) {
      variants.push_back(course.variant);
    }
    std::vector<Variant> found;
    STREAMGAGE_TRY(search([&](const TuningObserver& observe) {
      const auto raced = race_shapes(
          variants, budget, team_, workload_, decision_.seed, [this] { return !run_.go_on(); },
          observe);
      for (const Tuning& tuning : raced.value_or(std::vector<Tuning>{})) {
        if (tuning.variant.tuned) {
          found.push_back(tuning.variant);
          found.back().id = run_.next_id++;
        }
      }
      return raced.has_value();
    }));
    for (const Variant& variant : found) {
      run_.courses.push_back({.variant = variant, .place = {tier_of_search(plan_), 0}});
      STREAMGAGE_TRY(run_.records.write(to_record(variant)));
    }
    return {};
  }

  static bool is_same(const Variant& open, const Course& course) {
    const Variant& variant = course.variant;
    return !variant.tuned && variant.kernel == open.kernel && variant.store == open.store &&
           variant.isa == open.isa;
  }

  // Load and triad with few threads and with all, interleaved as in the blocks.
  Step measure_series() {
    const ThreadSeries series =
        thread_series(decision_.choice.variants, workload_, team_.size(), run_.next_id);
    run_.next_id += static_cast<int>(series.variants.size());
    std::vector<Json> records;
    for (const Variant& variant : series.variants) {
      records.push_back(to_record(variant));
    }
    STREAMGAGE_TRY(run_.records.write_all(records));
    BlockOrder order(decision_.seed);
    std::int64_t run = 0;
    for (int round = 0; round < kSeriesRounds && !series.variants.empty(); ++round) {
      ++run_.so_far.block;
      for (const std::size_t index : order.next(numbers_below(series.variants.size()))) {
        STREAMGAGE_TRY(run_.go_on());
        const Variant& variant = series.variants[index];
        const WalkedCall walked =
            workload_.run_window(team_, variant, run++ % series.windows, series.windows);
        const PassTime pass = pass_time(walked.timing, walked.walks, 1);
        const Role role = is_paused(variant, walked.timing) ? Role::kPaused
                          : !pass.seconds                   ? Role::kDisturbed
                          : round == 0                      ? Role::kWarmup
                                                            : Role::kTimed;
        STREAMGAGE_TRY(run_.write_sample(variant, role, 1, {walked.timing}, pass));
      }
    }
    workload_.restore(team_);
    return {};
  }

  Run& run_;
  const Plan& plan_;
  Decision& decision_;
  const Team& team_;
  Workload& workload_;
  Counting counting_;
  std::optional<OutsideLoad> load_;
  std::vector<Variant> open_shapes_;  // to be looked for in the end
};

}  // namespace

Result<Outcome> run_session(const Machine& machine, const Plan& plan, RecordSink& sink,
                            std::optional<CountersFound> counters) {
  const Instant start = now();
  STREAMGAGE_TRY(auto decision, decide(machine, plan));
  STREAMGAGE_TRY(const auto team, Team::assemble(decision.placement));
  take_size_of_team(machine, plan, team.size(), decision);
  STREAMGAGE_TRY(
      auto workload,
      Workload::reserve(decision.size, plan.type, arrays_of_tier(plan, decision, 0), team.size(),
                        {plan.pages,
                         decision.memory_nodes,
                         plan.alignment_bytes,
                         {plan.init, decision.seed},
                         has_cpu_a_thread(machine, decision.placement, team.size())}));
  STREAMGAGE_TRY(add_own_kernels(plan, decision, workload));
  Run run{machine, plan, decision, sink, start};
  ThreadWorkers workers(run, team, workload, std::move(counters));
  open_markers();
  Outcome outcome = measure_run(run, workers);
  close_markers();
  outcome.circumstances = {decision.placement.threads,
                           cpus_in_use(machine, decision.placement),
                           team.bound(),
                           decision.arrays,
                           decision.size,
                           decision.size_request.last_level_cache_bytes,
                           run.disturbance,
                           run.measured};
  return outcome;
}

}  // namespace streamgage::engine
