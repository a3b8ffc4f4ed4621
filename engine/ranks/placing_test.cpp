#include "ranks/placing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two NUMA domains of two cores each.
Machine four_cores() {
  Machine machine;
  machine.host = "node1";
  for (int cpu = 0; cpu < 4; ++cpu) {
    machine.allowed_cpus.push_back(cpu);
    machine.allowed.push_back({cpu, cpu, 0, cpu / 2, cpu / 2});
  }
  return machine;
}

CpuList cpus(std::optional<int> threads, const Turn& turn, bool oversubscribe = false) {
  return place_rank(four_cores(), {PlacementKind::kCores, {}, threads}, turn, oversubscribe)
      .value()
      .cpus;
}

TEST(RankPlacing, RanksAreSpreadOverTheMemoryDomainsAsThreadsAre) {
  EXPECT_THAT(cpus({}, {0, 2}), ElementsAre(0));
  EXPECT_THAT(cpus({}, {1, 2}), ElementsAre(2));
}

TEST(RankPlacing, ThreadsOfARankAreNeighbours) {
  EXPECT_THAT(cpus(2, {0, 2}), ElementsAre(0, 1));
  EXPECT_THAT(cpus(2, {1, 2}), ElementsAre(2, 3));
}

TEST(RankPlacing, MoreThreadsThanCpusAreRefusedUnlessTheyAreWanted) {
  const auto placement = place_rank(four_cores(), {PlacementKind::kCores, {}, 2}, {0, 3}, false);
  ASSERT_FALSE(placement);
  EXPECT_EQ(placement.error().status, ExitStatus::kUsage);
  EXPECT_THAT(placement.error().message,
              HasSubstr("6 threads of the ranks on host node1 would share 4 CPUs: 0-3"));
  EXPECT_THAT(cpus(2, {2, 3}, true), ElementsAre(0, 1));
}

TEST(RankPlacing, APlanIsReducedToWhatRanksDo) {
  Plan plan;
  plan.checks = true;
  plan.evidence = {"daxpy"};
  plan.idle_latency = true;
  const auto reduced = reduced_to_ranks(plan);
  ASSERT_TRUE(reduced);
  EXPECT_FALSE(reduced->checks);
  EXPECT_TRUE(reduced->evidence.empty());
  EXPECT_FALSE(reduced->idle_latency);
  plan.memory_nodes = CpuList{1};
  const auto bound = reduced_to_ranks(plan);
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().status, ExitStatus::kUsage);
  EXPECT_THAT(bound.error().message, HasSubstr("cannot take it from node 1"));
}

TEST(RankPlacing, AListIsDealtOut) {
  const PlacementRequest request{PlacementKind::kCpus, {3, 1, 2, 0}, 2};
  EXPECT_THAT(place_rank(four_cores(), request, {1, 2}, false)->cpus, ElementsAre(2, 0));
}

TEST(RankPlacing, AnExpressionIsReadForTheRanksOwnMachineAndDealtOut) {
  const PlacementRequest request{PlacementKind::kCpus, {}, 1, "S1:0-1@S0:0"};
  EXPECT_THAT(place_rank(four_cores(), request, {0, 3}, false)->cpus, ElementsAre(2));
  EXPECT_THAT(place_rank(four_cores(), request, {2, 3}, false)->cpus, ElementsAre(0));
  Machine confined = four_cores();
  confined.allowed = {confined.allowed[0], confined.allowed[3]};
  confined.allowed_cpus = {0, 3};
  const PlacementRequest counted{PlacementKind::kCpus, {}, 1, "N:0-1"};
  EXPECT_THAT(place_rank(confined, counted, {1, 2}, false)->cpus, ElementsAre(3));
}

TEST(RankPlacing, AnExpressionWithTooFewCpusIsRefusedUnlessTheyAreToBeShared) {
  const PlacementRequest request{PlacementKind::kCpus, {}, 1, "S1"};
  const auto placement = place_rank(four_cores(), request, {0, 3}, false);
  ASSERT_FALSE(placement);
  EXPECT_THAT(placement.error().message, HasSubstr("would share 2 CPUs: 2-3"));
  EXPECT_THAT(place_rank(four_cores(), request, {2, 3}, true)->cpus, ElementsAre(2));
  PlacementRequest shared{PlacementKind::kCpus, {}, 1, "0,0"};
  EXPECT_FALSE(place_rank(four_cores(), shared, {0, 2}, false));
  shared.oversubscribe = true;  // as a plan written by hand may say
  EXPECT_THAT(place_rank(four_cores(), shared, {1, 2}, false)->cpus, ElementsAre(0));
}

TEST(RankPlacing, UnboundThreadsHaveNoCpus) {
  const auto placement = place_rank(four_cores(), {PlacementKind::kNone, {}, 3}, {1, 9}, false);
  EXPECT_EQ(placement->threads, 3);
  EXPECT_TRUE(placement->cpus.empty());
}

TEST(RankPlacing, RanksOfOneHostThatMayUseTheSameCpusTakeTurns) {
  const std::vector<Member> members{{"a", 0, 1}, {"b", 1, 2}, {"a", 0, 3}, {"a", 0, 4}};
  const std::vector<CpuList> allowed{{0, 1}, {0, 1}, {0, 1}, {2, 3}};
  const std::vector<Turn> turns = turns_of(members, allowed);
  EXPECT_EQ(turns[0].turn, 0);
  EXPECT_EQ(turns[0].of, 2);
  EXPECT_EQ(turns[1].of, 1);
  EXPECT_EQ(turns[2].turn, 1);
  EXPECT_EQ(turns[3].of, 1);
}

}  // namespace
}  // namespace streamgage::engine
