#include "streamgage/topology/cores/sysfs_threads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/topology/sources/topology.hpp"
#include "streamgage/topology/testing/example_trees.hpp"

namespace streamgage {
namespace {

std::vector<int> cpus_of(const SysfsThreads& found) {
  std::vector<int> cpus;
  for (const HardwareThread& thread : found.threads) {
    cpus.push_back(thread.cpu);
  }
  return cpus;
}

TEST(SysfsThreads, InCompactOrderHaveSiblingsSideBySide) {
  const SysfsTree tree;
  write_two_packages_with_smt(tree);
  const auto found = read_hardware_threads(tree.roots(), cpus_from(0, 16), {});
  EXPECT_EQ(found.packages, 2);
  EXPECT_EQ(count_cores(found.threads), 8);
  EXPECT_EQ(most_threads_per_core(found.threads), 2);
  EXPECT_THAT(cpus_of(found),
              testing::ElementsAre(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
  EXPECT_EQ(found.threads[9].core, 4);
  EXPECT_EQ(found.threads[9].smt, 1);
  EXPECT_EQ(found.threads[9].package, 1);
}

TEST(SysfsThreads, OfASharedCacheAreNumberedTogether) {
  const SysfsTree tree;
  write_interleaved_numbers(tree);
  const CpuList online = cpus_from(0, 16);
  const auto by_package = read_hardware_threads(tree.roots(), online, {});
  EXPECT_THAT(cpus_of(by_package),
              testing::ElementsAre(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15));
  const auto by_cache = read_hardware_threads(
      tree.roots(), online,
      {cpus_from(0, 4, 4), cpus_from(1, 4, 4), cpus_from(2, 4, 4), cpus_from(3, 4, 4)});
  EXPECT_THAT(cpus_of(by_cache),
              testing::ElementsAre(0, 4, 8, 12, 2, 6, 10, 14, 1, 5, 9, 13, 3, 7, 11, 15));
  for (std::size_t i = 0; i < by_cache.threads.size(); ++i) {
    EXPECT_EQ(by_cache.threads[i].core, static_cast<int>(i));
  }
}

TEST(SysfsThreads, ThatAreOfflineDoNotCount) {
  const SysfsTree tree;
  write_offline_cpus(tree);
  const auto found = read_hardware_threads(tree.roots(), {0, 1, 3, 4, 8, 10}, {});
  EXPECT_THAT(cpus_of(found), testing::ElementsAre(0, 8, 1, 3, 10, 4));
  EXPECT_EQ(found.threads[4].smt, 0);
  EXPECT_EQ(count_cores(found.threads), 5);
}

TEST(SysfsThreads, AreReportedInOtherWordsByOldKernels) {
  const FakeTree tree;
  for (const char* cpu : {"0", "1", "2", "3"}) {
    const std::string folder = std::string("sys/devices/system/cpu/cpu") + cpu + "/topology/";
    tree.write(folder + "thread_siblings_list", *cpu < '2' ? "0-1\n" : "2-3\n");
    tree.write(folder + "core_siblings_list", "0-3\n");
  }
  const auto found = read_hardware_threads(tree.roots(), cpus_from(0, 4), {});
  EXPECT_EQ(found.packages, 1);
  EXPECT_EQ(count_cores(found.threads), 2);
}

TEST(SysfsThreads, WithoutATopologyAreCoresOfOnePackage) {
  const SysfsTree tree;
  write_bare_board(tree);
  const auto found = read_hardware_threads(tree.roots(), cpus_from(0, 4), {});
  EXPECT_EQ(found.packages, 1);
  EXPECT_EQ(count_cores(found.threads), 4);
  EXPECT_EQ(most_threads_per_core(found.threads), 1);
  EXPECT_THAT(cpus_of(found), testing::ElementsAre(0, 1, 2, 3));
}

TEST(SysfsThreads, AreAllThereWhateverTheFilesHold) {
  const SysfsTree tree;
  write_two_packages_with_smt(tree);
  for (const char* text : {"", "garbage", "7-3", "0-1048576", "3,9,14", "99"}) {
    for (const int cpu : {0, 3, 9, 14}) {
      tree.write(SysfsTree::cpu_folder_of(cpu) + "/topology/core_cpus_list", text);
      tree.write(SysfsTree::cpu_folder_of(cpu) + "/topology/package_cpus_list", text);
      tree.write(SysfsTree::cpu_folder_of(cpu) + "/topology/die_cpus_list", text);
    }
    const auto found =
        read_hardware_threads(tree.roots(), cpus_from(0, 16), {{2, 9}, {9, 3, 1}, {200}});
    EXPECT_THAT(cpus_of(found), testing::UnorderedElementsAreArray(cpus_from(0, 16))) << text;
  }
}

TEST(SysfsThreads, OfAPackageMayBeOnSeveralDies) {
  const SysfsTree tree;
  write_two_dies_a_package(tree);
  const auto found = read_hardware_threads(tree.roots(), cpus_from(0, 8), {});
  ASSERT_EQ(found.threads.size(), 8U);
  EXPECT_EQ(found.threads[5].package, 1);
  EXPECT_EQ(found.threads[5].die, 2);
  EXPECT_EQ(found.threads[7].die, 3);
}

TEST(SysfsThreads, MayBeMoreThan1024) {
  const SysfsTree tree;
  for (int core = 0; core < 640; ++core) {
    tree.write_core({core, core + 640}, cpus_from(0, 1280));
  }
  const auto found = read_hardware_threads(tree.roots(), cpus_from(0, 1280), {});
  EXPECT_EQ(count_cores(found.threads), 640);
  EXPECT_EQ(found.threads.back().cpu, 1279);
}

}  // namespace
}  // namespace streamgage
