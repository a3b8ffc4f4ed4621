#include "ranks/join.hpp"

#include <chrono>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using testing::ElementsAre;

const std::vector<Member> kTwoHosts{{"a", 0, 11}, {"a", 0, 12}, {"b", 1, 13}};

// From and to so many nanoseconds.
Timing ran(std::int64_t first, std::int64_t last, int cpu) {
  using std::chrono::nanoseconds;
  return {1e-9 * static_cast<double>(last - first),
          Instant(nanoseconds(first)),
          Instant(nanoseconds(last)),
          0.0,
          {cpu},
          {cpu},
          0,
          1};
}

Check checked(std::int64_t wrong, std::int64_t first_wrong) {
  return {100, wrong, wrong != 0 ? std::optional(first_wrong) : std::nullopt, 1.0, 2.0};
}

PlacedThreads placed_on(int cpu) {
  PlacedThreads placed;
  placed.cpus = {cpu};
  return placed;
}

TEST(JoinedTimings, RanksThatTakeTurnsOnAHostAreTimedFromTheFirstStartToTheLastEnd) {
  // Clocks of two hosts have nothing to do with each other.
  const Sample joined = join_timings(
      kTwoHosts, {ran(1'000, 2'000, 0), ran(2'000, 3'500, 0), ran(900'000, 901'000, 1)});
  EXPECT_DOUBLE_EQ(joined.timing.seconds, 2.5e-6);
  EXPECT_EQ(joined.rank_seconds.size(), 3U);
  EXPECT_DOUBLE_EQ(joined.rank_seconds[1], 1.5e-6);
  EXPECT_THAT(joined.timing.cpus_start, ElementsAre(0, 0, 1));
  EXPECT_EQ(joined.timing.switches, 3);
}

TEST(JoinedTimings, AStopOfOneRankIsAPauseOfAll) {
  Timing stopped = ran(0, 4'000'000'000, 1);
  stopped.paused_seconds = 3.0;
  const Sample joined = join_timings(kTwoHosts, {ran(0, 9, 0), stopped, ran(0, 9, 0)});
  EXPECT_EQ(joined.timing.paused_seconds, 3.0);
}

TEST(JoinedChecks, TheFirstWrongElementCountsThroughTheParts) {
  const Check check = join_checks({100, 100, 100}, {checked(0, 0), checked(2, 7), checked(1, 3)});
  EXPECT_EQ(check.checked, 300);
  EXPECT_EQ(check.wrong, 3);
  EXPECT_EQ(check.first_wrong, 107);
  EXPECT_DOUBLE_EQ(check.found, 2.0);
}

TEST(JoinedMemories, TheHostWithTheLeastMemoryForItsShareLimitsTheSize) {
  const HostMemory roomy{8, 3000, std::nullopt};
  const HostMemory tight{4, 1200, 600};
  const JoinedMemory all = join_memories(kTwoHosts, {roomy, roomy, tight});
  EXPECT_EQ(all.cache_bytes, 12U);
  EXPECT_EQ(all.budget.available_bytes, 3600U);  // a third of an array lies on the second host
  EXPECT_EQ(all.budget.limit_free_bytes, 1800U);
}

TEST(JoinedCpus, AreTheUnionOfEachHost) {
  const auto cpus = cpus_of_hosts(kTwoHosts, {placed_on(1), placed_on(0), placed_on(5)});
  EXPECT_THAT(cpus, ElementsAre(ElementsAre(0, 1), ElementsAre(0, 1), ElementsAre(5)));
}

TEST(JoinedLoads, OtherRanksOfAHostAreNoOtherPrograms) {
  const Disturbance seen{0, 4, 2.0, 0.25, 1.5, std::nullopt};
  const std::vector<LoadSeen> loads{{2.0, seen}, {1.25, std::nullopt}, {2.0, seen}};
  const double own = own_seconds_of_others(kTwoHosts, loads);
  EXPECT_DOUBLE_EQ(own, 1.25);
  const auto all = join_loads(kTwoHosts, loads, own);
  ASSERT_TRUE(all);
  EXPECT_DOUBLE_EQ(*all->other_seconds, 1.75);
  EXPECT_DOUBLE_EQ(*all->steal_seconds, 0.5);
  EXPECT_FALSE(all->throttled_seconds);
}

}  // namespace
}  // namespace streamgage::engine
