#include "measure/session.hpp"

#include <sched.h>

#include <algorithm>
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

class Session {
 public:
  Session(const Machine& machine, const Plan& plan, Decision decision, Team team, Workload workload,
          std::optional<CountersFound> counters, RecordSink& sink)
      : machine_(machine),
        plan_(plan),
        decision_(std::move(decision)),
        team_(std::move(team)),
        workload_(std::move(workload)),
        counting_(std::move(counters)),
        records_(sink),
        overdue_(sink) {}

  Outcome run() {
    const Instant start = now();
    const Step last = measure();
    overdue_.keep();
    spent_.blocks = so_far_.timed;
    Outcome outcome = close_run(
        records_, {last, so_far_.stopped_by, spent_, seconds_between(start, now()), failures_},
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
    if (plan_.checks) {
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
    STREAMGAGE_TRY(measure_idle_latency());
    std::vector<Json> records{touch_arrays()};
    records.push_back(to_record(examine_clock()));
    STREAMGAGE_TRY(records_.write_all(records));
    return records_.write_all(kernel_records(decision_.choice));
  }

  // Before the arrays are touched, so that the memory for it need not be free next to theirs. Where
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
    spent_.touch_seconds += touch.seconds;
    return memory_record(survey_pages(machine_, decision_.memory_nodes, workload_, touch),
                         decision_.size, decision_.size_request, decision_.memory_nodes, epoch_);
  }

  Step choose_variants_and_shapes() {
    if (counting_.is_counting()) {
      leave_out_evidence(decision_.choice);
    }
    const Instant start = now();
    Result<void> written;
    const bool chosen = choose_shapes(
        plan_, team_, workload_, decision_, [this] { return !go_on(); },
        [&](const Tuning& tuning) {
          written = records_.write(to_record(tuning));
          return written.has_value();
        });
    spent_.tuning_seconds = seconds_between(start, now());
    if (!chosen) {
      STREAMGAGE_TRY(written);
      return tl::unexpected(Stop(stop_signal()));
    }
    for (const Variant& variant : decision_.choice.variants) {
      courses_.push_back({variant});
    }
    STREAMGAGE_TRY(records_.write_all(variant_records(decision_.choice)));
    return {};
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
                           [this] { return epoch_touch_seconds_; }};
    return engine::measure_blocks(plan_.sampling, decision_.seed, courses_, steps, so_far_);
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
    STREAMGAGE_TRY(workload_.renew());
    return records_.write(touch_arrays());
  }

  // Load and triad with few threads and with all, interleaved as in the blocks.
  Step measure_series() {
    const ThreadSeries series = thread_series(decision_.choice.variants, workload_, team_.size());
    std::vector<Json> records;
    for (const Variant& variant : series.variants) {
      records.push_back(to_record(variant));
    }
    STREAMGAGE_TRY(records_.write_all(records));
    BlockOrder order(decision_.seed, series.variants.size());
    std::int64_t run = 0;
    for (int round = 0; round < kSeriesRounds && !series.variants.empty(); ++round) {
      ++so_far_.block;
      for (const std::size_t index : order.next()) {
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
  OverdueEnd overdue_;
  std::optional<OutsideLoad> load_;
  Disturbance disturbance_;  // of all blocks so far
  std::vector<Course> courses_;
  std::vector<KernelFailure> failures_;  // of own kernels
  BlocksSoFar so_far_;
  int epoch_ = 0;
  Spent spent_;
  double epoch_touch_seconds_ = 0.0;  // of the last epoch
};

}  // namespace

Result<Outcome> run_session(const Machine& machine, const Plan& plan, RecordSink& sink,
                            std::optional<CountersFound> counters) {
  STREAMGAGE_TRY(auto decision, decide(machine, plan));
  STREAMGAGE_TRY(auto team, Team::assemble(decision.placement));
  take_size_of_team(machine, team.size(), decision);
  STREAMGAGE_TRY(auto workload,
                 Workload::reserve(decision.size, plan.type, decision.arrays, team.size(),
                                   {plan.huge_pages,
                                    decision.memory_nodes,
                                    plan.alignment_bytes,
                                    {plan.init, decision.seed}}));
  STREAMGAGE_TRY(add_own_kernels(plan, decision, workload));
  open_markers();
  auto outcome = Session(machine, plan, std::move(decision), std::move(team), std::move(workload),
                         std::move(counters), sink)
                     .run();
  close_markers();
  return outcome;
}

}  // namespace streamgage::engine
