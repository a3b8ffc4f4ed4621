#include "measure/session.hpp"

#include <sched.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "latency/latency.hpp"
#include "measure/block_order.hpp"
#include "measure/blocks.hpp"
#include "measure/course.hpp"
#include "measure/likwid/marked_region.hpp"
#include "measure/memory_record.hpp"
#include "measure/outside_load.hpp"
#include "measure/overdue_end.hpp"
#include "measure/own/own_kernels.hpp"
#include "measure/setup.hpp"
#include "measure/stop_signal.hpp"
#include "measure/thread_series.hpp"
#include "measure/tiers.hpp"
#include "measure/traffic/counting.hpp"
#include "measure/tuning/choose_shapes.hpp"
#include "measure/workload.hpp"
#include "records/clock_record.hpp"
#include "records/machine_record.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/clock/core_clock.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {
namespace {

constexpr int kSeriesRounds = 11;
// The walks through the chain; it is measured where all of it is a small part of the time.
constexpr double kSecondsOfWalks = 2.0;
constexpr double kLatencyOfTime = 3.0;
// Of the time that is left for races and for samples of what they find.
constexpr double kShareOfSearch = 0.5;

// Arrays that the variants of the tiers up to this one need; `is_measured`: of a variant.
template <class IsMeasured>
int arrays_of_tier(const Plan& plan, const Decision& decision, int tier, IsMeasured&& is_measured) {
  if (plan.tiers.empty()) {
    return decision.arrays;
  }
  std::vector<Variant> used;
  for (const Variant& variant : decision.choice.variants) {
    if (tier_of(plan, variant).tier <= tier && is_measured(variant)) {
      used.push_back(variant);
    }
  }
  const int series = plan.checks ? arrays_of_series(decision.choice.variants) : 0;
  const int trial = plan.counters ? std::min(decision.arrays, kArraysOfTrial) : 0;
  return std::max({arrays_needed(used), series, trial});
}

class Session {
 public:
  Session(const Machine& machine, const Plan& plan, Decision decision, Team team, Workload workload,
          std::optional<CountersFound> counters, RecordSink& sink, Instant start)
      : machine_(machine),
        plan_(plan),
        decision_(std::move(decision)),
        team_(std::move(team)),
        workload_(std::move(workload)),
        counting_(std::move(counters)),
        records_(sink),
        start_(start),
        overdue_(sink) {}

  Outcome run() {
    const Step last = measure();
    overdue_.keep();
    spent_.blocks = so_far_.timed;
    Outcome outcome = close_run(
        records_, {last, so_far_.stopped_by, spent_, seconds_between(start_, now()), failures_},
        courses_);
    outcome.threads = team_.size();
    outcome.circumstances = {decision_.placement.threads,
                             cpus_in_use(machine_, decision_.placement),
                             team_.bound(),
                             decision_.arrays,
                             decision_.size,
                             decision_.size_request.last_level_cache_bytes,
                             disturbance_};
    return outcome;
  }

 private:
  Step measure() {
    STREAMGAGE_TRY(describe_plan());
    STREAMGAGE_TRY(
        check_own_kernels(machine_, plan_, team_, decision_, workload_, records_, failures_));
    if (plan_.check_kernels) {
      STREAMGAGE_TRY(records_.write_all(kernel_records(decision_.choice)));
      return {};
    }
    STREAMGAGE_TRY(describe());
    STREAMGAGE_TRY(look_for_traffic());
    STREAMGAGE_TRY(choose_variants_and_shapes());
    const Step blocks = measure_blocks();
    if (!is_error(blocks)) {
      STREAMGAGE_TRY(record_disturbance(0.0));  // that of a run that is interrupted, too
    }
    STREAMGAGE_TRY(blocks);
    if (plan_.core_clock) {
      STREAMGAGE_TRY(records_.write(core_clock_record()));
    }
    if (plan_.checks && plan_.tiers.empty()) {
      STREAMGAGE_TRY(measure_series());
    }
    return validate();
  }

  // Between two parts of the run.
  Step go_on() {
    spent_.blocks = so_far_.timed;
    overdue_.note(spent_);
    return check_signals();
  }

  Result<void> describe_plan() {
    return records_.write_all({to_record(machine_), plan_record(plan_, decision_, team_.size()),
                               placement_record(machine_, decision_.placement, team_)});
  }

  // Everything else that is known before the first sample; the arrays are touched on the way.
  Result<void> describe() {
    if (plan_.tiers.empty() || plan_.idle_latency) {
      STREAMGAGE_TRY(measure_idle_latency());
    }
    std::vector<Json> records{touch_arrays()};
    records.push_back(to_record(examine_clock()));
    STREAMGAGE_TRY(records_.write_all(records));
    return records_.write_all(kernel_records(decision_.choice));
  }

  // Where no arrays are touched, so that the memory for it need not be free next to theirs. Where
  // there is none, the checks do without; a plan that asks for it by name has failed.
  Result<void> measure_idle_latency() {
    if (!plan_.checks && !plan_.idle_latency) {
      return {};
    }
    const auto latency = latency_request(machine_, team_.cpus().front(), decision_.memory_nodes)
                             .and_then(&measure_latency);
    if (!latency && !plan_.idle_latency) {
      return {};
    }
    STREAMGAGE_TRY(const Latency measured, latency);
    return records_.write(to_record(measured));
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
    return {{"record", "core-clock"}, {"hertz", or_null(hertz)}, {"cpu", cpu}};
  }

  // The first touch; the record of where the pages are.
  Json touch_arrays() {
    const Touch touch = workload_.touch(team_);
    epoch_touch_seconds_ = touch.seconds;
    first_touch_seconds_ = epoch_ == 0 ? touch.seconds : first_touch_seconds_;
    spent_.touch_seconds += touch.seconds;
    return memory_record(survey_pages(machine_, decision_.memory_nodes, workload_, touch),
                         decision_.size, decision_.size_request, decision_.memory_nodes, epoch_);
  }

  Step choose_variants_and_shapes() {
    if (counting_.is_counting()) {
      leave_out_evidence(decision_.choice);
    }
    if (searches_last(plan_)) {
      ShapeChoice choice = settle_shapes(plan_, decision_);
      for (const Tuning& tuning : choice.tunings) {
        STREAMGAGE_TRY(records_.write(to_record(tuning)));
      }
      open_shapes_ = std::move(choice.open);
      take_shapes(plan_, choice.tunings, decision_);
    } else {
      STREAMGAGE_TRY(search([this](const TuningObserver& observe) {
        return choose_shapes(
            plan_, team_, workload_, decision_, [this] { return !go_on(); }, observe);
      }));
    }
    for (const Variant& variant : decision_.choice.variants) {
      courses_.push_back({.variant = variant, .place = tier_of(plan_, variant)});
    }
    next_id_ = static_cast<int>(courses_.size());
    STREAMGAGE_TRY(records_.write_all(variant_records(decision_.choice)));
    return {};
  }

  // Lets `races` look for shapes; false of it where it was stopped.
  template <class Races>
  Step search(Races&& races) {
    const Instant start = now();
    Result<void> written;
    const bool searched = races([&](const Tuning& tuning) {
      written = records_.write(to_record(tuning));
      return written.has_value();
    });
    spent_.tuning_seconds += seconds_between(start, now());
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
    for (const Course& course : courses_) {
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
    STREAMGAGE_TRY(search([&](const TuningObserver& observe) {
      const auto raced = race_shapes(
          variants, budget, team_, workload_, decision_.seed, [this] { return !go_on(); }, observe);
      for (const Tuning& tuning : raced.value_or(std::vector<Tuning>{})) {
        if (tuning.variant.tuned) {
          Course course{.variant = tuning.variant, .place = {tier_of_search(plan_), 0}};
          course.variant.id = next_id_++;
          courses_.push_back(std::move(course));
        }
      }
      return raced.has_value();
    }));
    for (const Course& course : courses_) {
      if (course.place.tier == tier_of_search(plan_)) {
        STREAMGAGE_TRY(records_.write(to_record(course.variant)));
      }
    }
    return {};
  }

  static bool is_same(const Variant& open, const Course& course) {
    const Variant& variant = course.variant;
    return !variant.tuned && variant.kernel == open.kernel && variant.store == open.store &&
           variant.isa == open.isa;
  }

  Result<void> look_for_traffic() {
    STREAMGAGE_TRY(records_.write_unless_null(counting_.survey_record()));
    return records_.write_unless_null(counting_.calibrate(plan_, decision_, team_, workload_));
  }

  Step measure_blocks() {
    load_.emplace(cpus_in_use(machine_, decision_.placement), FileRoots{});
    const BlockSteps steps{[this](Course& course) { return measure_sample(course); },
                           [this]() -> Step {
                             STREAMGAGE_TRY(record_disturbance(kLeastDisturbanceSeconds));
                             return {};
                           },
                           [this]() -> Step {
                             STREAMGAGE_TRY(renew_arrays());
                             return {};
                           },
                           [this] { return epoch_touch_seconds_; },
                           [this](int tier, double left) { return before_tier(tier, left); },
                           [this](int tier) {
                             tier_ = tier;
                             return arrays_of_tiers() > workload_.arrays();
                           },
                           [this](int tier) -> Step { return after_tier(tier); }};
    BlockRequest request{plan_.sampling, decision_.seed, count_tiers(plan_), start_};
    if (plan_.tuning && plan_.tuning->first) {
      request.sampling.budget_seconds += spent_.tuning_seconds;
    }
    return engine::measure_blocks(request, courses_, steps, so_far_);
  }

  Step before_tier(int tier, double seconds_left) {
    if (tier == tier_of_search(plan_)) {
      return search_last(seconds_left);
    }
    return {};
  }

  Step after_tier(int tier) {
    if (!plan_.checks) {
      return {};
    }
    if (tier == 0) {
      return measure_series();
    }
    const double left = plan_.sampling.budget_seconds - seconds_between(start_, now());
    if (tier == 1 && !plan_.idle_latency && left > kLatencyOfTime * seconds_of_latency()) {
      workload_.release();
      STREAMGAGE_TRY(measure_idle_latency());
      STREAMGAGE_TRY(renew_arrays());
    }
    return {};
  }

  // One thread fills the chain, maybe with pages as slow to get as those of the first touch.
  [[nodiscard]] double seconds_of_latency() const {
    const auto request = latency_request(machine_, team_.cpus().front(), decision_.memory_nodes);
    const double touched = static_cast<double>(decision_.size.bytes) * workload_.arrays();
    if (!request || touched == 0.0) {
      return 0.0;
    }
    const auto bytes = static_cast<double>(request->bytes);
    return kSecondsOfWalks + bytes / touched * first_touch_seconds_ * team_.size();
  }

  // Arrays that what is measured so far needs; the first tier takes those of the series along.
  [[nodiscard]] int arrays_of_tiers() const {
    return arrays_of_tier(plan_, decision_, tier_, [this](const Variant& variant) {
      const auto course = std::find_if(courses_.begin(), courses_.end(), [&](const Course& one) {
        return one.variant.id == variant.id;
      });
      return course == courses_.end() || course->is_taken;
    });
  }

  Result<void> record_disturbance(double least_seconds) {
    const auto seen = load_->since_last(so_far_.block, least_seconds);
    if (!seen) {
      return {};
    }
    add(disturbance_, *seen);
    return records_.write(to_record(*seen));
  }

  Result<void> renew_arrays() {
    ++epoch_;
    STREAMGAGE_TRY(workload_.renew(plan_.tiers.empty() ? workload_.arrays() : arrays_of_tiers()));
    return records_.write(touch_arrays());
  }

  // Load and triad with few threads and with all, interleaved as in the blocks.
  Step measure_series() {
    const ThreadSeries series =
        thread_series(decision_.choice.variants, workload_, team_.size(), next_id_);
    next_id_ += static_cast<int>(series.variants.size());
    std::vector<Json> records;
    for (const Variant& variant : series.variants) {
      records.push_back(to_record(variant));
    }
    STREAMGAGE_TRY(records_.write_all(records));
    BlockOrder order(decision_.seed);
    std::int64_t run = 0;
    for (int round = 0; round < kSeriesRounds && !series.variants.empty(); ++round) {
      ++so_far_.block;
      for (const std::size_t index : order.next(numbers_below(series.variants.size()))) {
        STREAMGAGE_TRY(go_on());
        const Variant& variant = series.variants[index];
        const Timing timing =
            workload_.run_window(team_, variant, run++ % series.windows, series.windows);
        const Role role = is_paused(variant, timing) ? Role::kPaused
                          : round == 0               ? Role::kWarmup
                                                     : Role::kTimed;
        STREAMGAGE_TRY(write_sample(variant, role, 1, timing));
      }
    }
    workload_.restore(team_);
    return {};
  }

  // Nothing more is run of an own kernel that has failed; the others go on.
  Result<void> leave_out(Course& course, const KernelFailure& failure) {
    course.is_left_out = true;
    failures_.push_back(failure);
    STREAMGAGE_TRY(records_.write(to_record(failure)));
    const bool any_left = std::any_of(courses_.begin(), courses_.end(),
                                      [](const Course& one) { return !one.is_left_out; });
    return any_left ? Result<void>() : streamgage::failure(failure.message);
  }

  Step measure_sample(Course& course) {
    if (course.is_left_out) {
      return {};
    }
    STREAMGAGE_TRY(go_on());
    const RunOutcome outcome = counting_.run(team_, workload_, course.variant, course.passes);
    const std::int64_t passes = course.passes;
    course.spot_failures += outcome.spot_check_passed ? 0 : 1;
    const Role role = take_timing(course, outcome.timing);
    STREAMGAGE_TRY(write_sample(course.variant, role, passes, outcome.timing));
    if (outcome.failure) {
      STREAMGAGE_TRY(leave_out(course, *outcome.failure));
    } else if (role == Role::kTimed) {
      STREAMGAGE_TRY(
          records_.write_unless_null(counting_.take(course.variant, so_far_.block, passes)));
    }
    return {};
  }

  // One more run of every variant, after which all of its elements are compared. Before that, the
  // arrays that no kernel may write: one that has changed fails every variant that reads it.
  Step validate() {
    ++so_far_.block;
    std::vector<Check> arrays(1);
    for (int number = 1; number < workload_.arrays(); ++number) {
      arrays.push_back(workload_.check_array(team_, number));
    }
    for (Course& course : courses_) {
      STREAMGAGE_TRY(go_on());
      if (course.is_left_out) {
        course.valid = false;
        STREAMGAGE_TRY(records_.write(validation_record(course, {})));
        continue;
      }
      if (!course.is_taken) {
        continue;  // it was never run
      }
      Timing timing;
      const Check own = workload_.run_and_check(team_, course.variant, timing);
      const Check check = with_arrays(course.variant, own, arrays);
      STREAMGAGE_TRY(write_sample(course.variant, Role::kValidation, 1, timing));
      if (check.failure) {
        course.valid = false;
        failures_.push_back(*check.failure);
        STREAMGAGE_TRY(records_.write(to_record(*check.failure)));
      } else if (check.is_known) {
        course.valid = check.wrong == 0 && course.spot_failures == 0;
      }
      STREAMGAGE_TRY(records_.write(validation_record(course, check)));
    }
    return {};
  }

  Result<void> write_sample(const Variant& variant, Role role, std::int64_t passes,
                            const Timing& timing) {
    spent_.kernel_seconds += timing.seconds;
    return records_.write(sample_record({variant.id, so_far_.block, epoch_, role, passes}, timing));
  }

  const Machine& machine_;
  const Plan& plan_;
  Decision decision_;
  Team team_;
  Workload workload_;
  Counting counting_;
  RecordSink& records_;
  Instant start_;
  OverdueEnd overdue_;
  std::optional<OutsideLoad> load_;
  Disturbance disturbance_;  // of all blocks so far
  std::vector<Course> courses_;
  std::vector<Variant> open_shapes_;  // to be looked for in the end
  int next_id_ = 0;                   // of a variant
  int tier_ = 0;
  std::vector<KernelFailure> failures_;  // of own kernels
  BlocksSoFar so_far_;
  int epoch_ = 0;
  Spent spent_;
  double epoch_touch_seconds_ = 0.0;  // of the last epoch
  double first_touch_seconds_ = 0.0;
};

}  // namespace

Result<Outcome> run_session(const Machine& machine, const Plan& plan, RecordSink& sink,
                            std::optional<CountersFound> counters) {
  const Instant start = now();
  STREAMGAGE_TRY(auto decision, decide(machine, plan));
  STREAMGAGE_TRY(auto team, Team::assemble(decision.placement));
  take_size_of_team(machine, plan, team.size(), decision);
  const int arrays = arrays_of_tier(plan, decision, 0, [](const Variant& /*any*/) { return true; });
  STREAMGAGE_TRY(auto workload, Workload::reserve(decision.size, plan.type, arrays, team.size(),
                                                  {plan.huge_pages,
                                                   decision.memory_nodes,
                                                   plan.alignment_bytes,
                                                   {plan.init, decision.seed}}));
  STREAMGAGE_TRY(add_own_kernels(plan, decision, workload));
  open_markers();
  auto outcome = Session(machine, plan, std::move(decision), std::move(team), std::move(workload),
                         std::move(counters), sink, start)
                     .run();
  close_markers();
  return outcome;
}

}  // namespace streamgage::engine
