#include "streamgage/placement/placement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two packages, each a NUMA domain of four cores with two hardware threads; CPUs 0-3 and 4-7 are
// the first threads of the cores, 8-15 the second ones.
Machine two_packages(const CpuList& allowed_cpus) {
  Machine machine;
  machine.allowed_cpus = allowed_cpus;
  for (int core = 0; core < 8; ++core) {
    for (const int smt : {0, 1}) {
      const int cpu = core + 8 * smt;
      if (std::find(allowed_cpus.begin(), allowed_cpus.end(), cpu) != allowed_cpus.end()) {
        machine.allowed.push_back({cpu, core, smt, core / 4, core / 4});
      }
    }
  }
  return machine;
}

const CpuList kAll = parse_cpu_list("0-15").value();

CpuList cores(const Machine& machine, std::optional<int> threads) {
  return choose_placement(machine, {PlacementKind::kCores, {}, threads}, 1).value().cpus;
}

TEST(Placement, TheDefaultIsOneThreadOnEachPhysicalCore) {
  EXPECT_THAT(cores(two_packages(kAll), {}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Placement, FewerThreadsAreSpreadOverTheMemoryDomains) {
  EXPECT_THAT(cores(two_packages(kAll), 1), ElementsAre(0));
  EXPECT_THAT(cores(two_packages(kAll), 2), ElementsAre(0, 4));
  EXPECT_THAT(cores(two_packages(kAll), 5), ElementsAre(0, 1, 2, 4, 5));
}

TEST(Placement, WithinADomainTheyAreSpreadOverTheLastLevelCaches) {
  Machine machine = two_packages(kAll);
  for (HardwareThread& thread : machine.allowed) {
    thread.package = 0;
    thread.node = 0;
  }
  machine.caches = {
      {2, "unified", 1, 64, {{0, 8}, {1, 9}, {2, 10}, {3, 11}}},
      {3, "unified", 1, 64, {{0, 1, 8, 9}, {2, 3, 10, 11}, {4, 5, 6, 7, 12, 13, 14, 15}}}};
  EXPECT_THAT(cores(machine, 3), ElementsAre(0, 2, 4));
  EXPECT_THAT(cores(machine, 4), ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(cores(machine, 8), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Placement, SecondHardwareThreadsComeLast) {
  EXPECT_THAT(cores(two_packages(kAll), 9), ElementsAre(0, 8, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(cores(two_packages(kAll), 16),
              ElementsAre(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
}

TEST(Placement, OnlyAllowedCpusAreUsed) {
  const Machine confined = two_packages({2, 3, 6, 7, 10, 11});
  EXPECT_THAT(cores(confined, {}), ElementsAre(2, 3, 6, 7));
  EXPECT_THAT(cores(two_packages({10, 11}), {}), ElementsAre(10, 11));
  EXPECT_THAT(cores(confined, 6), ElementsAre(2, 10, 3, 11, 6, 7));
}

TEST(Placement, MoreThreadsThanCpusIsRefused) {
  const auto placement = choose_placement(two_packages({2, 3}), {PlacementKind::kCores, {}, 3}, 1);
  ASSERT_FALSE(placement);
  EXPECT_THAT(placement.error().message, HasSubstr("may use 2 CPUs: 2-3"));
  const auto one = choose_placement(two_packages({2}), {PlacementKind::kCores, {}, 3}, 1);
  ASSERT_FALSE(one);
  EXPECT_EQ(one.error().message,
            "3 threads are asked for, but this process may use 1 CPU: 2; ask for at most 1 thread");
}

TEST(Placement, AListIsKeptInItsOrder) {
  const auto placement =
      choose_placement(two_packages(kAll), {PlacementKind::kCpus, {7, 3, 0}, {}}, 1);
  EXPECT_THAT(placement.value().cpus, ElementsAre(7, 3, 0));
  const auto first = choose_placement(two_packages(kAll), {PlacementKind::kCpus, {7, 3, 0}, 2}, 1);
  EXPECT_THAT(first.value().cpus, ElementsAre(7, 3));
}

TEST(Placement, AListThatCannotBeHadIsRefused) {
  const Machine machine = two_packages({0, 1});
  const auto outside = choose_placement(machine, {PlacementKind::kCpus, {0, 5}, {}}, 1);
  ASSERT_FALSE(outside);
  EXPECT_THAT(outside.error().message, HasSubstr("may not use CPU 5; it may use 0-1"));
  const auto twice = choose_placement(machine, {PlacementKind::kCpus, {0, 0}, {}}, 1);
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().message, HasSubstr("CPU 0 is listed twice"));
  const auto many = choose_placement(machine, {PlacementKind::kCpus, {0, 1}, 3}, 1);
  ASSERT_FALSE(many);
  EXPECT_THAT(many.error().message, HasSubstr("only 2 CPUs are listed"));
}

TEST(Placement, AnExpressionGivesOneThreadACpu) {
  PlacementRequest request{PlacementKind::kCpus, {}, {}, "E:N:4:2:4"};
  const auto placement = choose_placement(two_packages(kAll), request, 1);
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->threads, 4);
  EXPECT_THAT(placement->cpus, ElementsAre(0, 8, 2, 10));
  request.threads = 3;
  const auto other = choose_placement(two_packages(kAll), request, 1);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("3 threads are asked for, but E:N:4:2:4 names 4"));
}

TEST(Placement, ACpuIsNamedTwiceOnlyWherePermitted) {
  PlacementRequest request{PlacementKind::kCpus, {}, {}, "N:0,0"};
  EXPECT_FALSE(choose_placement(two_packages(kAll), request, 1));
  request.oversubscribe = true;
  EXPECT_THAT(choose_placement(two_packages(kAll), request, 1)->cpus, ElementsAre(0, 0));
  const PlacementRequest list{PlacementKind::kCpus, {1, 1}, {}, {}, true};
  EXPECT_THAT(choose_placement(two_packages(kAll), list, 1)->cpus, ElementsAre(1, 1));
}

TEST(Placement, NoneTakesWhatTheRuntimeGives) {
  const auto placement = choose_placement(two_packages(kAll), {PlacementKind::kNone, {}, {}}, 12);
  EXPECT_EQ(placement->threads, 12);
  EXPECT_TRUE(placement->cpus.empty());
}

}  // namespace
}  // namespace streamgage
