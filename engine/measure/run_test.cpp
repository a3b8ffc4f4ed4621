#include "measure/run.hpp"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/stop_signal.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_session.hpp"
#include "streamgage/base/testing/new_process.hpp"

namespace streamgage::engine {
namespace {

using testing::Each;
using testing::ElementsAre;

// Workers that run nothing: each call is noted, and each sample takes the same time.
class MadeWorkers final : public Workers {
 public:
  explicit MadeWorkers(int arrays) : arrays_(arrays) {}

  std::size_t fail_at = SIZE_MAX;    // the call with this number
  std::size_t signal_at = SIZE_MAX;  // during that one
  int release_after = -1;            // a tier
  int wrong_array = -1;
  bool passes_spot_checks = true;
  std::vector<double> rank_seconds;
  std::vector<std::string> calls;

  [[nodiscard]] int threads() const override { return 3; }
  [[nodiscard]] Json placement_record() const override { return {{"record", "placement"}}; }
  [[nodiscard]] int arrays() const override { return arrays_; }

  Result<PageSurvey> touch() override { return call("touch", PageSurvey{}); }
  Result<PageSurvey> renew(int arrays) override {
    arrays_ = arrays;
    return call(fmt::format("renew {}", arrays), PageSurvey{});
  }
  Result<SampleOutcome> run(const Variant& variant, std::int64_t /*passes*/) override {
    return call(fmt::format("run {}", variant.kernel->name),
                SampleOutcome{sample(), passes_spot_checks});
  }
  Result<Check> check_array(int number) override {
    Check check;
    check.wrong = number == wrong_array ? 1 : 0;
    return call(fmt::format("check array {}", number), check);
  }
  Result<CheckedSample> run_and_check(const Variant& variant) override {
    return call(fmt::format("check {}", variant.kernel->name), CheckedSample{sample(), {}});
  }
  Result<void> watch() override { return step("watch"); }
  Result<std::optional<Disturbance>> since_last(int /*block*/, double least_seconds) override {
    return call(fmt::format("since last {}", least_seconds), std::optional<Disturbance>{});
  }

  Step before_touch() override { return extra("before touch"); }
  Step before_variants() override { return extra("before variants"); }
  Step after_sample(const Variant& /*variant*/, std::int64_t /*passes*/) override {
    return extra("after sample");
  }
  Step before_tier(int tier, double /*seconds_left*/) override {
    return extra(fmt::format("before tier {}", tier));
  }
  Step after_tier(int tier) override {
    arrays_ = tier == release_after ? 0 : arrays_;
    return extra(fmt::format("after tier {}", tier));
  }
  Step after_blocks() override { return extra("after blocks"); }

  // The calls up to the first of that name; all where there is none.
  [[nodiscard]] std::vector<std::string> calls_before(const std::string& name) const {
    return {calls.begin(), std::find(calls.begin(), calls.end(), name)};
  }

 private:
  [[nodiscard]] Sample sample() const {
    Timing timing;
    timing.seconds = 0.01;
    return {timing, rank_seconds};
  }

  Result<void> step(const std::string& name) {
    const std::size_t number = calls.size();
    calls.push_back(name);
    if (number == signal_at) {
      (void)std::raise(SIGTERM);
    }
    return number == fail_at ? failure("the workers are lost") : Result<void>();
  }

  Step extra(const std::string& name) {
    const auto done = step(name);
    return done ? Step() : tl::unexpected(Stop(done.error()));
  }

  template <class T>
  Result<T> call(const std::string& name, T answer) {
    return step(name).map([&] { return answer; });
  }

  int arrays_;
};

// copy, of two arrays, before triad, of three; then sum.
Plan plan_in_tiers() {
  Plan plan = small_plan();
  plan.kernels = {"copy", "sum", "triad"};
  plan.stores = {"plain"};
  plan.tiers = {{{"copy"}, std::nullopt}, {{"triad"}, std::nullopt}};
  return plan;
}

struct Made {
  explicit Made(const Plan& with = plan_in_tiers()) : plan(with) {}

  Outcome measure() {
    Run run{machine, plan, decision, kept};
    return measure_run(run, workers);
  }

  Plan plan;
  Machine machine = small_machine();
  Decision decision = decide(machine, plan).value();
  MadeWorkers workers{arrays_of_tier(plan, decision, 0)};
  RecordList kept;
};

std::ptrdiff_t count(const std::vector<std::string>& calls, const std::string& name) {
  return std::count(calls.begin(), calls.end(), name);
}

TEST(Run, TakesTheTiersInTheirOrder) {
  Made made;
  const Outcome outcome = made.measure();
  EXPECT_EQ(outcome.exit_status, 0) << outcome.message.value_or("");
  EXPECT_EQ(outcome.threads, 3);
  EXPECT_THAT(made.kept.kinds(),
              ElementsAre("machine", "plan", "placement", "memory", "clock", "kernel", "variant",
                          "sample", "memory", "sample", "validation", "sample", "validation",
                          "sample", "validation", "end"));
  const auto& calls = made.workers.calls;
  EXPECT_THAT(std::vector(calls.begin(), calls.begin() + 6),
              ElementsAre("before touch", "touch", "before variants", "watch", "before tier 0",
                          "run copy"));
  const auto first = made.workers.calls_before("after tier 0");
  EXPECT_GE(count(first, "run copy"), made.plan.sampling.min_samples);
  EXPECT_EQ(count(first, "run triad") + count(first, "run sum"), 0);
  const auto second = made.workers.calls_before("after tier 1");
  EXPECT_GE(count(second, "run triad"), made.plan.sampling.min_samples);
  EXPECT_EQ(count(second, "run sum"), 0);
  EXPECT_GT(count(second, "run copy"), count(first, "run copy"));  // repeated, to be compared
  EXPECT_THAT(std::vector(calls.end() - 6, calls.end()),
              ElementsAre("after blocks", "check array 1", "check array 2", "check sum",
                          "check copy", "check triad"));
  EXPECT_EQ(made.kept.records.back()["stopped_by"], "max-samples");
}

TEST(Run, ReservesTheArraysOfATierWhenItBegins) {
  Made made;
  EXPECT_EQ(made.workers.arrays(), 2);
  made.measure();
  EXPECT_EQ(count(made.workers.calls, "renew 3"), 1);
  const auto before = made.workers.calls_before("renew 3");
  EXPECT_EQ(before.back(), "before tier 1");
  EXPECT_EQ(made.kept.of("memory").size(), 2U);
  for (const Json& sample : made.kept.of("sample")) {
    const bool is_triad = sample["variant"] == 2;
    EXPECT_TRUE(sample["epoch"] == 1 || (sample["epoch"] == 0 && !is_triad)) << sample;
  }
}

TEST(Run, ReplacesArraysThatWereGivenBackAfterATier) {
  Made made;
  made.workers.release_after = 1;
  EXPECT_EQ(made.measure().exit_status, 0);
  const auto before = made.workers.calls_before("before tier 2");
  EXPECT_EQ(before[before.size() - 2], "after tier 1");
  EXPECT_EQ(before.back(), "renew 3");
}

TEST(Run, WithoutTiersMeasuresAllInEveryBlock) {
  Plan plan = plan_in_tiers();
  plan.tiers.clear();
  Made made(plan);
  EXPECT_EQ(made.workers.arrays(), 3);
  EXPECT_EQ(made.measure().exit_status, 0);
  std::map<int, std::set<int>> of_block;
  for (const Json& sample : made.kept.of("sample")) {
    of_block[sample["block"]].insert(sample["variant"].get<int>());
  }
  for (const auto& [block, variants] : of_block) {
    EXPECT_EQ(variants.size(), 3U) << "block " << block;
  }
  EXPECT_EQ(count(made.workers.calls, "before tier 0"), 0);
}

TEST(Run, LeavesOutWhatThereIsNoTimeFor) {
  Plan plan = plan_in_tiers();
  plan.sampling.budget_seconds = 1e-9;
  Made made(plan);
  const Outcome outcome = made.measure();
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_EQ(count(made.workers.calls, "run triad") + count(made.workers.calls, "check triad"), 0);
  EXPECT_EQ(made.kept.of("validation").size(), 1U);  // copy's
  EXPECT_EQ(made.kept.of("memory").size(), 1U);
  EXPECT_EQ(made.kept.records.back()["stopped_by"], "budget");
}

TEST(Run, RecordsTheSecondsOfRanksWhereThereAreSome) {
  Made without;
  without.measure();
  EXPECT_FALSE(without.kept.of("sample").front().contains("rank_seconds"));
  Made made;
  made.workers.rank_seconds = {0.01, 0.008};
  made.measure();
  for (const Json& sample : made.kept.of("sample")) {
    EXPECT_EQ(sample["rank_seconds"], Json({0.01, 0.008}));
  }
}

TEST(Run, AnErrorOfTheWorkersEndsItWhereverItComes) {
  Made whole;
  whole.measure();
  for (std::size_t number = 0; number < whole.workers.calls.size(); ++number) {
    Made made;
    made.workers.fail_at = number;
    const Outcome outcome = made.measure();
    const std::string& name = whole.workers.calls[number];
    EXPECT_EQ(outcome.exit_status, 1) << name;
    EXPECT_EQ(outcome.message, "the workers are lost") << name;
    EXPECT_EQ(made.workers.calls.size(), number + 1) << name << ": something was run afterwards";
    EXPECT_EQ(made.kept.records.back()["record"], "end") << name;
    EXPECT_EQ(made.kept.records.back()["reason"], "error") << name;
  }
}

TEST(Run, ASinkThatFailsEndsItWhereverItDoes) {
  Made whole;
  whole.measure();
  for (std::size_t number = 0; number < whole.kept.records.size(); ++number) {
    Made made;
    made.kept.fail_after = number;
    const Outcome outcome = made.measure();
    EXPECT_EQ(outcome.exit_status, 1) << number;
    EXPECT_EQ(outcome.message, "the records cannot be written") << number;
  }
}

TEST(Run, AnArrayThatHasChangedFailsWhatReadsIt) {
  Made made;
  made.workers.wrong_array = 2;
  const Outcome outcome = made.measure();
  EXPECT_EQ(outcome.exit_status, 1);
  std::vector<bool> valid;
  for (const Json& validation : made.kept.of("validation")) {
    valid.push_back(validation["valid"].get<bool>());
  }
  EXPECT_THAT(valid, ElementsAre(true, true, false));  // triad reads it
}

TEST(Run, ASpotCheckThatFailsMakesTheVariantInvalid) {
  Made made;
  made.workers.passes_spot_checks = false;
  const Outcome outcome = made.measure();
  EXPECT_EQ(outcome.exit_status, 1);
  for (const Json& validation : made.kept.of("validation")) {
    EXPECT_EQ(validation["valid"], false);
    EXPECT_GT(validation["spot_failures"].get<int>(), 0);
  }
}

// In processes of their own: the signal stays noted for the rest of the process.
TEST(RunDeathTest, ASignalEndsItInEveryPhase) {
  if (!can_start_itself()) {
    GTEST_SKIP() << "EMULATED: a program may not be able to start itself";
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const char* phase :
       {"touch", "run copy", "before tier 1", "run triad", "check array 1", "check copy"}) {
    const auto stop = [&] {
      watch_stop_signals();
      Made whole;
      whole.measure();
      const auto before = whole.workers.calls_before(phase).size();
      Made made;
      made.workers.signal_at = before;
      const Outcome outcome = made.measure();
      const bool right = made.kept.records.back()["reason"] == "terminated" &&
                         made.kept.records.back()["exit_status"] == 143 &&
                         made.workers.calls.size() < whole.workers.calls.size();
      std::_Exit(right ? outcome.exit_status : 99);
    };
    EXPECT_EXIT(stop(), testing::ExitedWithCode(143), "") << phase;
  }
}

}  // namespace
}  // namespace streamgage::engine
