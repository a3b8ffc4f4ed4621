#include "measure/load/latency_session.hpp"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/stop_signal.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_machine.hpp"
#include "streamgage/base/testing/new_process.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

// Its one cache is shared by whatever CPUs the tests run on.
Machine machine_with_cache(std::uint64_t bytes) {
  Machine machine = small_machine();
  Cache cache{3, "unified", bytes, 64, {{}}};
  for (int cpu = 0; cpu < 4096; ++cpu) {
    cache.shared_by.front().push_back(cpu);
  }
  machine.caches = {cache};
  return machine;
}

// Figures mean nothing: two threads wander over the CPUs that there are.
LatencyPlan small_latency_plan() {
  LatencyPlan plan;
  plan.placement.kind = PlacementKind::kNone;
  plan.placement.threads = 2;
  plan.chain_bytes = {8 * kKiB, 256 * kKiB};
  plan.load = LoadRequest{{Mix::kReads, Mix::k1To1}, {0.0, 0.5, 1.0}, 0.01};
  plan.rounds = 2;
  plan.seed = 7;
  return plan;
}

TEST(LatencySession, MeasuresEverythingOnceARound) {
  RecordList kept;
  const auto outcome = run_latency_session(machine_with_cache(kMiB), small_latency_plan(), kept);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->exit_status, 0) << outcome->message.value_or("");
  ASSERT_GE(kept.records.size(), 4U);
  EXPECT_EQ(kept.records[0]["record"], "machine");
  EXPECT_EQ(kept.records[1]["record"], "latency-plan");
  EXPECT_EQ(kept.records[2]["record"], "placement");
  EXPECT_EQ(kept.records.back()["record"], "end");
  EXPECT_EQ(kept.records.back()["reason"], "complete");
  std::map<std::string, int> seen;
  for (const Json& each : kept.of("latency")) {
    ++seen[each["bytes"].dump() + " in " + each["block"].dump()];
    EXPECT_GT(each["seconds"], 0.0);
  }
  for (const Json& each : kept.of("loaded")) {
    ++seen[each["mix"].get<std::string>() + each["share"].dump() + " in " + each["block"].dump()];
    EXPECT_EQ(each["windows"].size(), 5U);
    const bool is_loaded = each["share"] > 0.0;
    for (const Json& window : each["windows"]) {
      EXPECT_GT(window["seconds"], 0.0);
      EXPECT_GT(window["loads"], 0);
      // A busy machine may give the thread that loads no CPU for as long as a window lasts. At full
      // speed the window lasts until something has moved; at half of it, it does not.
      if (each["share"] != 0.5) {
        EXPECT_EQ(window["bytes"] > 0, is_loaded) << each;
      }
    }
    EXPECT_EQ(each["generators"], is_loaded ? 1 : 0);
    EXPECT_EQ(each["target_bytes_per_second"].is_null(), each["share"] != 0.5);
    EXPECT_EQ(each["effort"] > 0.0, is_loaded);
    EXPECT_LE(each["effort"], 1.0);
  }
  EXPECT_EQ(seen.size(), 2U * (2U + 6U));
  for (const auto& [what, times] : seen) {
    EXPECT_EQ(times, 1) << what;
  }
}

TEST(LatencySession, OneThreadMeasuresIdleLatencyAlone) {
  LatencyPlan plan = small_latency_plan();
  plan.placement.threads = 1;
  RecordList none;
  const auto refused = run_latency_session(small_machine(), plan, none);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, ExitStatus::kUsage);
  EXPECT_THAT(refused.error().message, HasSubstr("a load needs a second thread"));
  EXPECT_TRUE(none.records.empty());
  plan.load.reset();
  RecordList kept;
  ASSERT_TRUE(run_latency_session(machine_with_cache(kMiB), plan, kept));
  EXPECT_EQ(kept.of("latency").size(), 4U);
  EXPECT_TRUE(kept.of("loaded").empty());
}

TEST(LatencySession, TooLittleMemoryForTheLoadIsReported) {
  Machine machine = machine_with_cache(40 * kMiB);
  machine.memory_available_bytes = 512 * kMiB;  // enough for the chain of 128 MiB
  RecordList kept;
  const auto outcome = run_latency_session(machine, small_latency_plan(), kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 1);
  EXPECT_THAT(
      outcome->message.value_or(""),
      HasSubstr("needs 320 MiB, but the 512 MiB of free memory have room for only 0 of 1 threads"));
  EXPECT_EQ(kept.records.back()["reason"], "error");
}

TEST(LatencySession, AWorkingSetThatDoesNotFitIsRefused) {
  LatencyPlan plan = small_latency_plan();
  plan.chain_bytes = {8 * kKiB, 300 * kMiB};
  RecordList none;
  const auto refused = run_latency_session(small_machine(), plan, none);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, ExitStatus::kUsage);
  EXPECT_THAT(refused.error().message,
              HasSubstr("a working set of 300 MiB is more than a quarter"));
  EXPECT_TRUE(none.records.empty());
}

TEST(LatencySessionDeathTest, ASignalEndsItInOrder) {
  if (!can_start_itself()) {
    GTEST_SKIP() << "EMULATED: a program may not be able to start itself";
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto measure_under_a_signal = [] {
    LatencyPlan plan = small_latency_plan();
    plan.load->seconds = 60.0;
    RecordList kept;
    kept.signal_after = 3;  // the highest rate is sought next
    watch_stop_signals();
    const auto outcome = run_latency_session(machine_with_cache(kMiB), plan, kept);
    const bool right = outcome && kept.records.back()["reason"] == "terminated";
    std::_Exit(right ? outcome->exit_status : 99);
  };
  EXPECT_EXIT(measure_under_a_signal(), testing::ExitedWithCode(143), "");
}

TEST(LatencySession, RecordsThatCannotBeWrittenEndIt) {
  RecordList kept;
  kept.fail_after = 4;
  LatencyPlan plan = small_latency_plan();
  plan.load.reset();  // threads that do not get their CPUs would end the run first
  const auto outcome = run_latency_session(machine_with_cache(kMiB), plan, kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 1);
  EXPECT_THAT(outcome->message.value_or(""), HasSubstr("the records cannot be written"));
}

}  // namespace
}  // namespace streamgage::engine
