#include "ranks/ranks_session.hpp"

#include <utility>

#include "measure/run.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

template <class Answer>
std::vector<Timing> timings_of(const std::vector<Answer>& answers) {
  std::vector<Timing> timings;
  timings.reserve(answers.size());
  for (const Answer& answer : answers) {
    timings.push_back(answer.timing);
  }
  return timings;
}

// All ranks together.
class RankWorkers final : public Workers {
 public:
  RankWorkers(Crew& crew, const Agreement& settled) : crew_(crew), settled_(settled) {}

  [[nodiscard]] int threads() const override { return settled_.threads; }
  [[nodiscard]] Json placement_record() const override { return to_json(*settled_.placement); }
  [[nodiscard]] int arrays() const override { return arrays_; }

  Result<PageSurvey> touch() override { return touch(orders::FirstTouch{}); }

  Result<PageSurvey> renew(int arrays) override {
    arrays_ = arrays;
    return touch(orders::Renew{arrays});
  }

  Result<SampleOutcome> run(const Variant& variant, std::int64_t passes) override {
    STREAMGAGE_TRY(const auto outcomes, crew_.order(orders::Run{variant.id, passes}));
    SampleOutcome all{join_timings(crew_.members(), timings_of(outcomes))};
    for (const RunOutcome& outcome : outcomes) {
      all.spot_check_passed = all.spot_check_passed && outcome.spot_check_passed;
    }
    all.sample.walks = join_walks(crew_.members(), outcomes);
    return all;
  }

  Result<Check> check_array(int number) override {
    STREAMGAGE_TRY(const auto checks,
                   crew_.order(orders::CheckArray{number}, settled_.patience_for_all));
    return join_checks(settled_.shares, checks);
  }

  Result<CheckedSample> run_and_check(const Variant& variant) override {
    STREAMGAGE_TRY(const auto runs,
                   crew_.order(orders::RunAndCheck{variant.id}, settled_.patience_for_all));
    std::vector<Check> checks;
    checks.reserve(runs.size());
    for (const CheckedRun& run : runs) {
      checks.push_back(run.check);
    }
    return CheckedSample{join_timings(crew_.members(), timings_of(runs)),
                         join_checks(settled_.shares, checks)};
  }

  Result<void> watch() override {
    STREAMGAGE_TRY(crew_.order(orders::Watch{settled_.cpus_of_hosts}));
    load_taken_ = now();
    return {};
  }

  Result<std::optional<Disturbance>> since_last(int block, double least_seconds) override {
    if (seconds_between(load_taken_, now()) < least_seconds) {
      return std::nullopt;
    }
    STREAMGAGE_TRY(const auto loads, crew_.order(orders::TakeLoad{block}));
    load_taken_ = now();
    const double own = own_seconds_of_others(crew_.members(), loads);
    return join_loads(crew_.members(), loads, own - std::exchange(others_seconds_, own));
  }

 private:
  template <class One>
  Result<PageSurvey> touch(const One& order) {
    STREAMGAGE_TRY(const auto surveys, crew_.order(order, settled_.patience_for_all));
    return join_pages(surveys, settled_.shares);
  }

  Crew& crew_;
  const Agreement& settled_;
  int arrays_ = settled_.arrays;
  Instant load_taken_;
  double others_seconds_ = 0.0;  // CPU time of ranks, as last reported
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
  Run run{machine, settled.plan, settled.decision, sink};
  RankWorkers workers(crew, settled);
  return measure_run(run, workers);
}

}  // namespace streamgage::engine
