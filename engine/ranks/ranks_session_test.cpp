#include "ranks/ranks_session.hpp"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/testing/record_list.hpp"
#include "measure/testing/small_machine.hpp"
#include "world/testing/thread_transport.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// copy, of two arrays, before triad, of three. The budget ends none, however slow the machine.
constexpr const char* kPlan = R"({
  "schema": 1, "kernels": ["copy", "triad"], "stores": ["plain"], "array_bytes": 80000, "seed": 7,
  "placement": {"kind": "none", "threads": 1},
  "sampling": {"min_samples": 5, "look_every": 5, "max_samples": 10, "budget_seconds": 1000},
  "tiers": [{"kernels": ["copy"]}, {"kernels": ["triad"]}]})";

// What two ranks, which are threads of this process, make of a plan.
Result<Outcome> run_by_two_ranks(const std::string& plan, RecordSink& sink) {
  (void)setenv("STREAMGAGE_LOCK", "none", 1);
  const Machine machine = small_machine();
  std::optional<Result<Outcome>> outcome;
  with_ranks(2, [&](Transport& transport) {
    World world(transport, 60.0);
    ASSERT_TRUE(world.meet("a", "a"));
    Part part(world, machine);
    if (!world.is_root()) {
      EXPECT_TRUE(serve(world, part));
      return;
    }
    Crew crew(world, part);
    outcome = run_ranks_session(crew, machine, {plan, false, "an MPI", {}}, sink);
    crew.dismiss();
  });
  (void)unsetenv("STREAMGAGE_LOCK");
  return *outcome;
}

TEST(RanksSession, MeasuresTheFirstTierBeforeTheNextIsBegun) {
  RecordList kept;
  const auto outcome = run_by_two_ranks(kPlan, kept);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->exit_status, 0) << outcome->message.value_or("");
  EXPECT_EQ(outcome->threads, 2);
  std::map<int, int> timed;
  for (const Json& sample : kept.of("sample")) {
    EXPECT_THAT(sample["rank_seconds"], SizeIs(2));
    EXPECT_THAT(sample["cpus"], SizeIs(2));
    if (sample["variant"] == 1) {
      EXPECT_GE(timed[0], 5);
    }
    timed[sample["variant"]] += sample["role"] == "timed" ? 1 : 0;
  }
  EXPECT_GE(timed[1], 5);
  EXPECT_EQ(kept.records.back()["reason"], "complete");
}

TEST(RanksSession, ReservesAnArrayOnceATierNeedsIt) {
  RecordList kept;
  ASSERT_TRUE(run_by_two_ranks(kPlan, kept));
  const auto touches = kept.of("memory");
  ASSERT_THAT(touches, SizeIs(2));
  EXPECT_THAT(touches[0]["arrays"], SizeIs(2));
  EXPECT_THAT(touches[1]["arrays"], SizeIs(3));
  ASSERT_THAT(kept.of("validation"), SizeIs(2));
  for (const Json& validation : kept.of("validation")) {
    EXPECT_EQ(validation["valid"], true) << validation;
    EXPECT_EQ(validation["checked"], 10'000);
  }
}

TEST(RanksSession, HasNoFigureOfWhatThereIsNoTimeFor) {
  Json plan = Json::parse(kPlan);
  plan["sampling"]["budget_seconds"] = 1e-9;
  RecordList kept;
  const auto outcome = run_by_two_ranks(plan.dump(), kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  for (const Json& sample : kept.of("sample")) {
    EXPECT_EQ(sample["variant"], 0);
  }
  EXPECT_EQ(kept.records.back()["stopped_by"], "budget");
}

TEST(RanksSession, RefusesATierOfAKernelThatDoesNotExist) {
  Json plan = Json::parse(kPlan);
  plan["tiers"][1]["kernels"] = {"tirad"};
  RecordList kept;
  const auto outcome = run_by_two_ranks(plan.dump(), kept);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().status, ExitStatus::kUsage);
  EXPECT_THAT(outcome.error().message, HasSubstr("there is no kernel 'tirad'"));
  EXPECT_TRUE(kept.records.empty());
}

TEST(RanksSession, EndsWithAnErrorWhereTheRecordsCannotBeWritten) {
  RecordList kept;
  kept.fail_after = 6;
  const auto outcome = run_by_two_ranks(kPlan, kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 1);
  EXPECT_THAT(*outcome->message, HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace streamgage::engine
