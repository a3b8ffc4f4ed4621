#include "measure/run.hpp"

#include <algorithm>
#include <utility>

#include "measure/process_stop.hpp"
#include "measure/thread_series.hpp"
#include "measure/tiers.hpp"
#include "records/clock_record.hpp"
#include "records/machine_record.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

constexpr int kTriesOfSample = 4;

class Loop {
 public:
  Loop(Run& run, Workers& workers)
      : run_(run), plan_(run.plan), records_(run.records), workers_(workers) {}

  Step measure() {
    STREAMGAGE_TRY(records_.write_all({to_record(run_.machine),
                                       plan_record(plan_, run_.decision, workers_.threads()),
                                       workers_.placement_record()}));
    STREAMGAGE_TRY(workers_.before_touch());
    if (plan_.check_kernels) {
      STREAMGAGE_TRY(records_.write_all(kernel_records(run_.decision.choice)));
      return {};
    }
    STREAMGAGE_TRY(take_touch(workers_.touch()));
    run_.first_touch_seconds = touch_seconds_;
    STREAMGAGE_TRY(records_.write(to_record(examine_clock())));
    STREAMGAGE_TRY(records_.write_all(kernel_records(run_.decision.choice)));
    STREAMGAGE_TRY(workers_.before_variants());
    for (const Variant& variant : run_.decision.choice.variants) {
      run_.courses.push_back({.variant = variant, .place = tier_of(plan_, variant)});
    }
    run_.next_id = static_cast<int>(run_.courses.size());
    STREAMGAGE_TRY(records_.write_all(variant_records(run_.decision.choice)));
    STREAMGAGE_TRY(workers_.watch());
    const Step blocks = measure_blocks();
    if (!is_error(blocks)) {
      STREAMGAGE_TRY(record_disturbance(0.0));  // that of a run that is interrupted, too
    }
    STREAMGAGE_TRY(blocks);
    STREAMGAGE_TRY(workers_.after_blocks());
    return validate();
  }

 private:
  Result<void> take_touch(const Result<PageSurvey>& touched) {
    STREAMGAGE_TRY(const PageSurvey pages, touched);
    touch_seconds_ = pages.touch_seconds;
    run_.spent.touch_seconds += touch_seconds_;
    return records_.write(memory_record(pages, run_.decision.size, run_.decision.size_request,
                                        run_.decision.memory_nodes, run_.epoch));
  }

  // The arrays that what is measured so far needs.
  [[nodiscard]] int arrays_needed_now() const {
    return arrays_of_tier(plan_, run_.decision, tier_, run_.courses);
  }

  [[nodiscard]] bool lacks_arrays() const { return arrays_needed_now() > workers_.arrays(); }

  Step renew_arrays() {
    ++run_.epoch;
    STREAMGAGE_TRY(take_touch(workers_.renew(arrays_needed_now())));
    return {};
  }

  Step measure_blocks() {
    const BlockSteps steps{
        [this](Course& course) { return measure_sample(course); },
        [this]() -> Step {
          STREAMGAGE_TRY(record_disturbance(kLeastDisturbanceSeconds));
          return {};
        },
        [this] { return renew_arrays(); },
        [this] { return touch_seconds_; },
        [this](int tier, double left) { return workers_.before_tier(tier, left); },
        [this](int tier) {
          tier_ = tier;
          return lacks_arrays();
        },
        [this](int tier) -> Step {
          STREAMGAGE_TRY(workers_.after_tier(tier));
          return lacks_arrays() ? renew_arrays() : Step{};
        }};
    BlockRequest request{plan_.sampling, run_.decision.seed, count_tiers(plan_), run_.start};
    if (plan_.tuning && plan_.tuning->first) {
      request.sampling.budget_seconds += run_.spent.tuning_seconds;
    }
    return engine::measure_blocks(request, run_.courses, steps, run_.so_far);
  }

  // A sample that was disturbed is taken again at once, so that blocks stay whole.
  Step measure_sample(Course& course) {
    for (int turn = 0; turn < kTriesOfSample; ++turn) {
      const std::size_t disturbed = course.disturbed.size();
      STREAMGAGE_TRY(try_sample(course));
      if (course.disturbed.size() == disturbed || is_hopeless(course)) {
        break;
      }
    }
    return {};
  }

  Step try_sample(Course& course) {
    if (course.is_left_out) {
      return {};
    }
    STREAMGAGE_TRY(run_.go_on());
    const std::int64_t passes = course.passes;
    STREAMGAGE_TRY(const auto outcome, workers_.run(course.variant, passes));
    course.spot_failures += outcome.spot_check_passed ? 0 : 1;
    const auto [role, pass] =
        take_timing(course, outcome.sample.timing, outcome.sample.walks, run_.courses);
    STREAMGAGE_TRY(run_.write_sample(course.variant, role, passes, outcome.sample, pass));
    run_.measured.seconds += outcome.sample.timing.seconds;
    run_.measured.quiet_seconds +=
        pass.is_whole ? outcome.sample.timing.seconds : pass.quiet.seconds;
    if (outcome.failure) {
      STREAMGAGE_TRY(leave_out(course, *outcome.failure));
    } else if (role == Role::kTimed) {
      return workers_.after_sample(course.variant, passes);
    }
    return {};
  }

  // Nothing more is run of an own kernel that has failed; the others go on.
  Result<void> leave_out(Course& course, const KernelFailure& failure) {
    course.is_left_out = true;
    STREAMGAGE_TRY(record_failure(failure));
    const bool any_left = std::any_of(run_.courses.begin(), run_.courses.end(),
                                      [](const Course& one) { return !one.is_left_out; });
    return any_left ? Result<void>() : streamgage::failure(failure.message);
  }

  Result<void> record_failure(const KernelFailure& failure) {
    run_.failures.push_back(failure);
    return records_.write(to_record(failure));
  }

  Result<void> record_disturbance(double least_seconds) {
    STREAMGAGE_TRY(const auto seen, workers_.since_last(run_.so_far.block, least_seconds));
    if (!seen) {
      return {};
    }
    add(run_.disturbance, *seen);
    return records_.write(to_record(*seen));
  }

  // One more run of every variant, after which all of its elements are compared. Before that, the
  // arrays that no kernel may write: one that has changed fails every variant that reads it.
  Step validate() {
    ++run_.so_far.block;
    std::vector<Check> arrays(1);
    for (int number = 1; number < workers_.arrays(); ++number) {
      STREAMGAGE_TRY(const auto check, workers_.check_array(number));
      arrays.push_back(check);
    }
    for (Course& course : run_.courses) {
      STREAMGAGE_TRY(run_.go_on());
      if (course.is_left_out) {
        course.valid = false;
        STREAMGAGE_TRY(records_.write(validation_record(course, {})));
      } else if (course.is_taken) {  // else it was never run
        STREAMGAGE_TRY(validate(course, arrays));
      }
    }
    return {};
  }

  Result<void> validate(Course& course, const std::vector<Check>& arrays) {
    STREAMGAGE_TRY(const auto checked, workers_.run_and_check(course.variant));
    const Check check = with_arrays(course.variant, checked.check, arrays);
    STREAMGAGE_TRY(run_.write_sample(course.variant, Role::kValidation, 1, checked.sample,
                                     pass_time(checked.sample.timing, {}, 1)));
    if (check.failure) {
      course.valid = false;
      STREAMGAGE_TRY(record_failure(*check.failure));
    } else if (check.is_known) {
      course.valid = check.wrong == 0 && course.spot_failures == 0;
    }
    return records_.write(validation_record(course, check));
  }

  Run& run_;
  const Plan& plan_;
  RecordSink& records_;
  Workers& workers_;
  int tier_ = 0;
  double touch_seconds_ = 0.0;  // of the last epoch
};

}  // namespace

Step Run::go_on() {
  spent.blocks = so_far.timed;
  overdue.note(spent);
  return check_signals();
}

Result<void> Run::write_sample(const Variant& variant, Role role, std::int64_t passes,
                               const Sample& sample, const PassTime& pass) {
  spent.kernel_seconds += sample.timing.seconds;
  // It has just ended: the checks of its results take far less time than a state of a host.
  const double at = std::max(seconds_between(start, now()) - sample.timing.seconds, 0.0);
  record::Sample record =
      sample_record({variant.id, so_far.block, epoch, role, passes, at}, sample.timing, pass);
  if (!sample.rank_seconds.empty()) {
    record.rank_seconds = sample.rank_seconds;
  }
  return records.write(to_json(record));
}

Outcome measure_run(Run& run, Workers& workers) {
  const Step last = Loop(run, workers).measure();
  run.overdue.keep();
  look_for_stops();
  const bool is_invalid = std::any_of(run.courses.begin(), run.courses.end(),
                                      [](const Course& course) { return course.valid == false; });
  const Ending ending = ending_of(last, is_invalid, run.failures);
  run.spent.blocks = run.so_far.timed;
  const double seconds = seconds_between(run.start, now());
  const RunEnd end = write_end(run.records, ending, run.so_far.stopped_by, run.spent, seconds);
  Outcome outcome;
  outcome.exit_status = end.exit_status;
  outcome.message = end.message;
  outcome.threads = workers.threads();
  outcome.seconds = seconds;
  for (const Course& course : run.courses) {
    std::vector<double> of_a_pass = course.samples.timed();
    for (double& sample : of_a_pass) {
      sample /= static_cast<double>(course.passes);
    }
    const bool is_disturbed = of_a_pass.empty() && !course.disturbed.empty();
    outcome.variants.push_back(
        {course.variant, is_disturbed ? course.disturbed : of_a_pass, course.valid, is_disturbed});
  }
  return outcome;
}

int arrays_of_tier(const Plan& plan, const Decision& decision, int tier,
                   const std::vector<Course>& courses) {
  if (plan.tiers.empty()) {
    return decision.arrays;
  }
  std::vector<Variant> used;
  for (const Variant& variant : decision.choice.variants) {
    const bool is_left = std::any_of(courses.begin(), courses.end(), [&](const Course& course) {
      return course.variant.id == variant.id && !course.is_taken;
    });
    if (tier_of(plan, variant).tier <= tier && !is_left) {
      used.push_back(variant);
    }
  }
  const int series = plan.checks ? arrays_of_series(decision.choice.variants) : 0;
  const int trial = plan.counters ? std::min(decision.arrays, kArraysOfTrial) : 0;
  return std::max({arrays_needed(used), series, trial});
}

}  // namespace streamgage::engine
