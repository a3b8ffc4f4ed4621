#include "ranks/joined.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using testing::ElementsAre;

const std::vector<Member> kTwoHosts{{"a", 0, 11}, {"a", 0, 12}, {"b", 1, 13}};

Json ran(std::int64_t first, std::int64_t last, int cpu) {
  return {{"first", first},
          {"last", last},
          {"seconds", 1e-9 * static_cast<double>(last - first)},
          {"cpus_start", {cpu}},
          {"cpus_end", {cpu}},
          {"moved", 0},
          {"switches", 1}};
}

Json checked(std::int64_t wrong, std::int64_t first_wrong) {
  return {{"checked", 100},
          {"wrong", wrong},
          {"first_wrong", wrong != 0 ? Json(first_wrong) : Json(nullptr)},
          {"expected", 1.0},
          {"found", 2.0}};
}

TEST(JoinedTimings, RanksThatTakeTurnsOnAHostAreTimedFromTheFirstStartToTheLastEnd) {
  // Clocks of two hosts have nothing to do with each other.
  const JoinedTiming joined = join_timings(
      kTwoHosts, {ran(1'000, 2'000, 0), ran(2'000, 3'500, 0), ran(900'000, 901'000, 1)});
  EXPECT_DOUBLE_EQ(joined.timing.seconds, 2.5e-6);
  EXPECT_EQ(joined.rank_seconds.size(), 3U);
  EXPECT_DOUBLE_EQ(joined.rank_seconds[1], 1.5e-6);
  EXPECT_THAT(joined.timing.cpus_start, ElementsAre(0, 0, 1));
  EXPECT_EQ(joined.timing.switches, 3);
}

TEST(JoinedChecks, TheFirstWrongElementCountsThroughTheParts) {
  const Check check = join_checks({100, 100, 100}, {checked(0, 0), checked(2, 7), checked(1, 3)});
  EXPECT_EQ(check.checked, 300);
  EXPECT_EQ(check.wrong, 3);
  EXPECT_EQ(check.first_wrong, 107);
  EXPECT_DOUBLE_EQ(check.found, 2.0);
}

TEST(JoinedSurveys, TheHostWithTheLeastMemoryForItsShareLimitsTheSize) {
  const Json roomy{{"cache_bytes", 8}, {"available_bytes", 3000}, {"limit_free_bytes", nullptr}};
  const Json tight{{"cache_bytes", 4}, {"available_bytes", 1200}, {"limit_free_bytes", 600}};
  const Surveyed all = join_surveys(kTwoHosts, {roomy, roomy, tight});
  EXPECT_EQ(all.cache_bytes, 12U);
  EXPECT_EQ(all.budget.available_bytes, 3600U);  // a third of an array lies on the second host
  EXPECT_EQ(all.budget.limit_free_bytes, 1800U);
}

TEST(JoinedCpus, AreTheUnionOfEachHost) {
  const auto cpus =
      cpus_of_hosts(kTwoHosts, {Json{{"cpus", {1}}}, Json{{"cpus", {0}}}, Json{{"cpus", {5}}}});
  EXPECT_THAT(cpus, ElementsAre(ElementsAre(0, 1), ElementsAre(0, 1), ElementsAre(5)));
}

TEST(JoinedLoads, OtherRanksOfAHostAreNoOtherPrograms) {
  const Json seen{{"first_block", 0},      {"last_block", 4},      {"seconds", 2.0},
                  {"steal_seconds", 0.25}, {"other_seconds", 1.5}, {"throttled_seconds", nullptr}};
  const std::vector<Json> loads{Json{{"own_seconds", 2.0}, {"seen", seen}},
                                Json{{"own_seconds", 1.25}, {"seen", nullptr}},
                                Json{{"own_seconds", 2.0}, {"seen", seen}}};
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
