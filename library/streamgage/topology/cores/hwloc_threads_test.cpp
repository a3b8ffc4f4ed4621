#include "streamgage/topology/cores/hwloc_threads.hpp"

#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/topology/sources/topology.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"
#include "streamgage/topology/testing/hybrid_xml.hpp"

namespace streamgage {
namespace {

struct Counts {
  int packages = 0;
  int cores = 0;
  int threads_per_core = 0;
  std::vector<HardwareThread> threads;
};

Counts count(const char* synthetic) {
  const EnvironmentGuard guard("HWLOC_SYNTHETIC", synthetic);
  const auto topology = HwlocTopology::load();
  if (!topology) {
    ADD_FAILURE() << topology.error().message;
    return {};
  }
  auto threads = find_hardware_threads(*topology);
  return {count_packages(*topology), count_cores(threads), most_threads_per_core(threads),
          std::move(threads)};
}

std::vector<int> cpus_of(const std::vector<HardwareThread>& threads) {
  std::vector<int> cpus;
  cpus.reserve(threads.size());
  for (const HardwareThread& thread : threads) {
    cpus.push_back(thread.cpu);
  }
  return cpus;
}

TEST(HardwareThreads, OfTwoEpyc7451Are96On48Cores) {
  const auto epyc = count("pack:2 numa:4 l3:2 l2:3 core:1 pu:2");
  EXPECT_EQ(epyc.packages, 2);
  EXPECT_EQ(epyc.cores, 48);
  EXPECT_EQ(epyc.threads_per_core, 2);
  EXPECT_EQ(epyc.threads.size(), 96U);
  EXPECT_EQ(epyc.threads.back().package, 1);
  EXPECT_EQ(epyc.threads.back().core, 47);
  EXPECT_EQ(epyc.threads.back().smt, 1);
}

TEST(HardwareThreads, InCompactOrderHaveSiblingsSideBySide) {
  const auto machine = count("pack:2 core:4 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15)");
  EXPECT_THAT(cpus_of(machine.threads),
              testing::ElementsAre(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
  EXPECT_EQ(machine.threads[3].core, 1);
  EXPECT_EQ(machine.threads[3].smt, 1);
}

TEST(HardwareThreads, AreRankedInTheirCoreByNumber) {
  const auto machine = count("pack:1 core:2 pu:2(indexes=2,0,3,1)");
  for (const HardwareThread& thread : machine.threads) {
    EXPECT_EQ(thread.smt, thread.cpu >= 2 ? 1 : 0) << thread.cpu;
  }
}

TEST(HardwareThreads, WithoutCoresAreCoresThemselves) {
  const auto machine = count("pu:4");
  EXPECT_EQ(machine.packages, 1);
  EXPECT_EQ(machine.cores, 4);
  EXPECT_EQ(machine.threads_per_core, 1);
  EXPECT_THAT(cpus_of(machine.threads), testing::ElementsAre(0, 1, 2, 3));
}

TEST(HardwareThreads, MayBeMoreThan1024) {
  const auto machine = count("pack:4 core:320 pu:2");
  EXPECT_EQ(machine.cores, 1280);
  EXPECT_EQ(machine.threads.size(), 2560U);
  EXPECT_EQ(machine.threads.back().cpu, 2559);
}

TEST(HardwareThreads, DifferFromCoreToCoreOnAHybridProcessor) {
  const FakeTree tree;
  const EnvironmentGuard xml("HWLOC_XMLFILE", write_hybrid_xml(tree));
  const auto topology = HwlocTopology::load();
  ASSERT_TRUE(topology.has_value());
  const auto threads = find_hardware_threads(*topology);
  EXPECT_EQ(count_cores(threads), 5);
  EXPECT_EQ(most_threads_per_core(threads), 2);
  EXPECT_EQ(threads.size(), 6U);
}

}  // namespace
}  // namespace streamgage
