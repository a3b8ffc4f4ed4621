#include "ranks/ranks_session.hpp"

#include <algorithm>
#include <utility>

#include "kernels/catalogue.hpp"
#include "kernels/choose_variants.hpp"
#include "measure/blocks.hpp"
#include "measure/course.hpp"
#include "measure/memory_record.hpp"
#include "measure/overdue_end.hpp"
#include "measure/setup.hpp"
#include "measure/stop_signal.hpp"
#include "measure/tiers.hpp"
#include "records/clock_record.hpp"
#include "records/machine_record.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

class RanksSession {
 public:
  RanksSession(Crew& crew, const Machine& machine, Settled settled, RecordSink& sink)
      : crew_(crew),
        machine_(machine),
        settled_(std::move(settled)),
        records_(sink),
        overdue_(sink) {
    for (const Variant& variant : settled_.decision.choice.variants) {
      courses_.push_back({.variant = variant, .place = tier_of(settled_.plan, variant)});
    }
  }

  Outcome run() {
    const Instant start = now();
    start_ = start;
    const Step last = measure();
    overdue_.keep();
    spent_.blocks = so_far_.timed;
    Outcome outcome = close_run(
        records_, {last, so_far_.stopped_by, spent_, seconds_between(start, now())}, courses_);
    outcome.threads = settled_.threads;
    return outcome;
  }

 private:
  Step measure() {
    STREAMGAGE_TRY(describe());
    const Step blocks = measure_blocks();
    if (!is_error(blocks)) {
      STREAMGAGE_TRY(take_load());  // that of a run that is interrupted, too
    }
    STREAMGAGE_TRY(blocks);
    return validate();
  }

  // Between two parts of the run.
  Step go_on() {
    spent_.blocks = so_far_.timed;
    overdue_.note(spent_);
    return check_signals();
  }

  Result<void> describe() {
    const VariantChoice& choice = settled_.decision.choice;
    const std::vector<Json> records{to_record(machine_),
                                    plan_record(settled_.plan, settled_.decision, settled_.threads),
                                    settled_.placement};
    STREAMGAGE_TRY(records_.write_all(records));
    STREAMGAGE_TRY(touch(orders::FirstTouch{}));
    STREAMGAGE_TRY(records_.write(to_record(examine_clock())));
    STREAMGAGE_TRY(records_.write_all(kernel_records(choice)));
    return records_.write_all(variant_records(choice));
  }

  // The first touch of the arrays, or of others in their place.
  template <class One>
  Result<void> touch(const One& order) {
    STREAMGAGE_TRY(const auto surveys, crew_.order(order, settled_.patience_for_all));
    const PageSurvey pages = join_pages(surveys, settled_.shares);
    epoch_touch_seconds_ = pages.touch_seconds;
    spent_.touch_seconds += epoch_touch_seconds_;
    const Decision& decision = settled_.decision;
    return records_.write(memory_record(pages, decision.size, decision.size_request, {}, epoch_));
  }

  Step measure_blocks() {
    STREAMGAGE_TRY(crew_.order(orders::Watch{settled_.cpus_of_hosts}));
    load_taken_ = now();
    const BlockSteps steps{[this](Course& course) { return measure_sample(course); },
                           [this]() -> Step {
                             STREAMGAGE_TRY(look_at_load());
                             return {};
                           },
                           [this]() -> Step {
                             ++epoch_;
                             STREAMGAGE_TRY(touch(orders::Renew{}));
                             return {};
                           },
                           [this] { return epoch_touch_seconds_; }};
    return engine::measure_blocks(
        {settled_.plan.sampling, settled_.decision.seed, count_tiers(settled_.plan), start_},
        courses_, steps, so_far_);
  }

  Result<void> look_at_load() {
    return seconds_between(load_taken_, now()) >= kLeastDisturbanceSeconds ? take_load()
                                                                           : Result<void>();
  }

  Step measure_sample(Course& course) {
    STREAMGAGE_TRY(go_on());
    const std::int64_t passes = course.passes;
    STREAMGAGE_TRY(const auto outcomes, crew_.order(orders::Run{course.variant.id, passes}));
    std::vector<Timing> timings;
    bool passed = true;
    for (const RunOutcome& outcome : outcomes) {
      timings.push_back(outcome.timing);
      passed = passed && outcome.spot_check_passed;
    }
    const JoinedTiming joined = join_timings(crew_.members(), timings);
    course.spot_failures += passed ? 0 : 1;
    const Role role = take_timing(course, joined.timing);
    STREAMGAGE_TRY(write_sample(course.variant, role, passes, joined));
    return {};
  }

  // As that of one process: one more run of every variant, after which all of it is compared.
  Step validate() {
    ++so_far_.block;
    std::vector<Check> arrays(1);
    for (int number = 1; number < settled_.decision.size_request.arrays; ++number) {
      STREAMGAGE_TRY(const auto checks,
                     crew_.order(orders::CheckArray{number}, settled_.patience_for_all));
      arrays.push_back(join_checks(settled_.shares, checks));
    }
    for (Course& course : courses_) {
      STREAMGAGE_TRY(go_on());
      if (course.is_taken) {
        STREAMGAGE_TRY(validate(course, arrays));
      }
    }
    return {};
  }

  Result<void> validate(Course& course, const std::vector<Check>& arrays) {
    STREAMGAGE_TRY(const auto runs,
                   crew_.order(orders::RunAndCheck{course.variant.id}, settled_.patience_for_all));
    std::vector<Timing> timings;
    std::vector<Check> checks;
    for (const CheckedRun& run : runs) {
      timings.push_back(run.timing);
      checks.push_back(run.check);
    }
    const Check check = with_arrays(course.variant, join_checks(settled_.shares, checks), arrays);
    STREAMGAGE_TRY(
        write_sample(course.variant, Role::kValidation, 1, join_timings(crew_.members(), timings)));
    course.valid = check.wrong == 0 && course.spot_failures == 0;
    return records_.write(validation_record(course, check));
  }

  Result<void> take_load() {
    STREAMGAGE_TRY(const auto loads, crew_.order(orders::TakeLoad{so_far_.block}));
    load_taken_ = now();
    const double own = own_seconds_of_others(crew_.members(), loads);
    const auto seen = join_loads(crew_.members(), loads, own - std::exchange(others_seconds_, own));
    return seen ? records_.write(to_record(*seen)) : Result<void>();
  }

  Result<void> write_sample(const Variant& variant, Role role, std::int64_t passes,
                            const JoinedTiming& joined) {
    spent_.kernel_seconds += joined.timing.seconds;
    Json record = sample_record({variant.id, so_far_.block, epoch_, role, passes}, joined.timing);
    record["rank_seconds"] = joined.rank_seconds;
    return records_.write(record);
  }

  Crew& crew_;
  const Machine& machine_;
  Settled settled_;
  RecordSink& records_;
  OverdueEnd overdue_;
  std::vector<Course> courses_;
  BlocksSoFar so_far_;
  Instant start_;
  Instant load_taken_;
  int epoch_ = 0;
  Spent spent_;
  double epoch_touch_seconds_ = 0.0;  // of the last epoch
  double others_seconds_ = 0.0;       // CPU time of ranks, as last reported
};

}  // namespace

Result<Outcome> run_ranks_session(Crew& crew, const Machine& machine, const RanksRequest& request,
                                  RecordSink& sink) {
  STREAMGAGE_TRY(auto settled, settle(crew, request));
  if (settled.locked.signal != 0) {
    Outcome stopped;
    stopped.exit_status = 128 + settled.locked.signal;
    return stopped;
  }
  return RanksSession(crew, machine, std::move(settled), sink).run();
}

}  // namespace streamgage::engine
