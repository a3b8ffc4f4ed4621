#include "latency/latency.hpp"

#include <sched.h>

#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

// Small and brief: how long it takes is not looked at.
LatencyRequest small_request() {
  LatencyRequest request;
  request.bytes = 4 * kMiB;
  request.loads = 1000;
  return request;
}

TEST(Latency, IsTheMedianBetweenTheQuickestAndTheSlowestWalk) {
  const auto latency = measure_latency(small_request());
  ASSERT_TRUE(latency);
  EXPECT_GT(latency->minimum, 0.0);
  EXPECT_LE(latency->minimum, latency->seconds);
  EXPECT_LE(latency->seconds, latency->maximum);
  EXPECT_EQ(latency->repeats, 15);
  EXPECT_EQ(latency->bytes, 4 * kMiB);
  EXPECT_EQ(latency->loads, 1000);
  EXPECT_GE(latency->huge_share.value_or(0.0), 0.0);
  EXPECT_LE(latency->huge_share.value_or(1.0), 1.0);
}

// Windows of 100 us each with 1000 loads, in one of which the thread was away for 4 ms.
TEST(Latency, LeavesOutTheTimeInWhichTheThreadWasAway) {
  ThreadWalk walk;
  Instant at{};
  std::int64_t cpu = 0;
  walk.marks.push_back({at, cpu, 0});
  for (int window = 0; window < 10; ++window) {
    at += std::chrono::microseconds(window == 4 ? 4100 : 100);
    cpu += 100'000;
    walk.marks.push_back({at, cpu, 1000});
  }
  walk.switches = 1;
  const WalkTime time = time_of_walk(walk);
  EXPECT_NEAR(time.seconds, 100e-9, 1e-12);
  EXPECT_NEAR(time.wall_seconds, 500e-9, 1e-12);
  EXPECT_NEAR(time.quiet_share, 0.9, 1e-9);
}

TEST(Latency, OfAWalkThatIsHardlyEverQuietIsThatOfTheWholeWalk) {
  ThreadWalk walk;
  walk.marks.push_back({Instant{}, 0, 0});
  walk.marks.push_back({Instant{} + std::chrono::microseconds(1000), 100'000, 1000});
  walk.switches = 1;
  const WalkTime time = time_of_walk(walk);
  EXPECT_NEAR(time.seconds, 1e-6, 1e-12);
  EXPECT_EQ(time.quiet_share, 0.0);
}

TEST(Latency, SaysHowMuchOfItsWalksCounts) {
  const auto share = measure_latency(small_request()).value().quiet_share;
  ASSERT_TRUE(share);
  EXPECT_GE(*share, 0.0);
  EXPECT_LE(*share, 1.0);
}

TEST(Latency, ASpentBudgetLeavesTheLeastRepeats) {
  LatencyRequest request = small_request();
  request.budget_seconds = 0.0;
  EXPECT_EQ(measure_latency(request).value().repeats, LatencyRequest::kLeastRepeats);
}

TEST(Latency, IsMeasuredOnTheCpuThatTheCallerIsBoundTo) {
  cpu_set_t before{};
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &before)) {
      cpu_set_t one{};
      CPU_SET(cpu, &one);
      ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
      EXPECT_EQ(measure_latency(small_request()).value().cpu, cpu);
    }
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST(Latency, MemoryThatCannotBeHadIsAnErrorInWords) {
  LatencyRequest request;
  request.bytes = std::uint64_t{1} << 60U;
  const auto latency = measure_latency(request);
  ASSERT_FALSE(latency);
  EXPECT_EQ(latency.error().status, ExitStatus::kFailed);
}

TEST(Latency, IsAskedForByTheCacheOfTheCpuAndTheLongestLine) {
  Machine machine;
  machine.memory_available_bytes = 8 * kGiB;
  machine.caches = {{1, "data", 32 * kKiB, 64, {{0}, {1}}},
                    {3, "unified", 32 * kMiB, 128, {{0}}},
                    {3, "unified", 96 * kMiB, 128, {{1}}}};
  EXPECT_EQ(latency_request(machine, 0, {}).value().bytes, 128 * kMiB);
  EXPECT_EQ(latency_request(machine, 1, {}).value().bytes, 384 * kMiB);
  EXPECT_EQ(latency_request(machine, 1, {}).value().line_bytes, 128U);
  machine.memory_available_bytes = 128 * kMiB;
  EXPECT_FALSE(latency_request(machine, 0, {}));
}

TEST(Latency, OfBoundMemoryIsAskedForByWhatItsNodesHave) {
  Machine machine;
  machine.memory_available_bytes = 8 * kGiB;
  machine.numa_nodes = {{0, {0}, 4 * kGiB, kGiB, kGiB}, {1, {}, 4 * kGiB, kGiB, 400 * kMiB}};
  const auto request = latency_request(machine, 0, {1});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->bytes, 100 * kMiB);
  EXPECT_EQ(request->nodes, CpuList{1});
}

TEST(Latency, OfUnboundMemoryReportsNoNodes) {
  EXPECT_FALSE(measure_latency(small_request()).value().nodes);
}

TEST(Latency, OfANodeThatIsNotThereIsAnErrorInWords) {
  LatencyRequest request = small_request();
  request.nodes = {1000};
  const auto latency = measure_latency(request);
  ASSERT_FALSE(latency);
  EXPECT_THAT(latency.error().message, testing::HasSubstr("node 1000"));
}

TEST(Latency, IsARecordWithEveryField) {
  Latency latency;
  latency.seconds = 1e-7;
  latency.minimum = 9e-8;
  latency.maximum = 2e-7;
  latency.repeats = 7;
  latency.bytes = 64;
  latency.loads = 3;
  latency.cpu = 5;
  EXPECT_EQ(to_json(record_of(latency)).dump(),
            R"({"record":"latency","seconds":1e-07,"minimum":9e-08,"maximum":2e-07,"repeats":7,)"
            R"("bytes":64,"loads":3,"huge_share":null,"cpu":5,"nodes":null,)"
            R"("quiet_share":null})");
  latency.huge_share = 1.0;
  latency.nodes = {{1}};
  EXPECT_EQ(to_json(record_of(latency))["huge_share"], 1.0);
  EXPECT_EQ(to_json(record_of(latency))["nodes"].dump(), "[1]");
}

}  // namespace
}  // namespace streamgage::engine
