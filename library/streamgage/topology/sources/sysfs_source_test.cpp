#include "streamgage/topology/sources/sysfs_source.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/example_trees.hpp"

namespace streamgage {
namespace {

const CacheOracle kSilent{[](unsigned long) { return 0UL; }, [](int) { return -1L; }};

Topology found_in(const SysfsTree& tree, const CacheOracle& oracle = kSilent) {
  const EnvironmentGuard synthetic("HWLOC_SYNTHETIC", std::nullopt);
  const EnvironmentGuard xml("HWLOC_XMLFILE", std::nullopt);
  const EnvironmentGuard root("HWLOC_FSROOT", std::nullopt);
  auto topology = find_by_sysfs(tree.roots(), oracle);
  if (!topology) {
    ADD_FAILURE() << topology.error().message;
    return {};
  }
  return std::move(*topology);
}

TEST(SysfsSource, FindsTwoPackagesWithSmtAndTwoNodes) {
  const SysfsTree tree;
  write_two_packages_with_smt(tree);
  const auto topology = found_in(tree);
  EXPECT_TRUE(topology.is_this_system);
  EXPECT_EQ(topology.packages, 2);
  ASSERT_EQ(topology.threads.size(), 16U);
  EXPECT_EQ(topology.threads.back().cpu, 15);
  EXPECT_EQ(topology.threads.back().core, 7);
  EXPECT_EQ(topology.threads.back().node, 1);
  EXPECT_EQ(topology.caches.size(), 4U);
  EXPECT_EQ(topology.numa_nodes.size(), 2U);
  EXPECT_EQ(topology.online_cpus, cpus_from(0, 16));
  EXPECT_TRUE(topology.core_kinds.empty());
}

TEST(SysfsSource, OrdersCoresAndCachesByTheHierarchy) {
  const SysfsTree tree;
  write_interleaved_numbers(tree);
  const auto topology = found_in(tree);
  EXPECT_EQ(topology.threads[5].cpu, 6);
  EXPECT_EQ(topology.threads[5].core, 5);
  EXPECT_EQ(topology.caches.back().shared_by,
            (std::vector<CpuList>{{0, 4, 8, 12}, {2, 6, 10, 14}, {1, 5, 9, 13}, {3, 7, 11, 15}}));
}

TEST(SysfsSource, GivesThreadsTheNodeWithTheirMemory) {
  const SysfsTree tree;
  write_memory_only_nodes(tree);
  tree.write_node(1, {2, 3}, 0, "20 10 23 13 40");
  const auto topology = found_in(tree);
  EXPECT_EQ(topology.threads[0].node, 0);
  EXPECT_EQ(topology.threads[3].node, 3);
}

TEST(SysfsSource, HasTheCachesThatS390ListsForTheWholeMachine) {
  const SysfsTree tree;
  write_s390(tree);
  const auto topology = found_in(tree);
  ASSERT_EQ(topology.caches.size(), 4U);
  EXPECT_EQ(topology.caches[2].bytes, 64U << 20U);
  EXPECT_EQ(topology.caches[3].level, 4);
  EXPECT_EQ(topology.caches[3].shared_by, (std::vector<CpuList>{{0, 1}, {2, 3}}));
}

TEST(SysfsSource, NamesTheMcdramOfAXeonPhi) {
  const SysfsTree tree;
  write_knights_landing(tree);
  const auto topology = found_in(tree);
  ASSERT_EQ(topology.numa_nodes.size(), 2U);
  EXPECT_FALSE(topology.numa_nodes[0].kind);
  EXPECT_EQ(topology.numa_nodes[1].kind, "MCDRAM");
}

TEST(SysfsSource, OfABareBoardFindsWhatTheCLibraryReports) {
  const SysfsTree tree;
  write_bare_board(tree);
  const auto nothing = found_in(tree);
  EXPECT_EQ(nothing.packages, 1);
  EXPECT_EQ(nothing.threads.size(), 4U);
  EXPECT_EQ(nothing.threads[3].core, 3);
  EXPECT_EQ(nothing.numa_nodes.size(), 1U);
  EXPECT_TRUE(nothing.caches.empty());
  const CacheOracle one{[](unsigned long type) { return type == 44 ? 2UL << 20U : 0UL; },
                        [](int) { return 0L; }};
  ASSERT_EQ(found_in(tree, one).caches.size(), 1U);
  EXPECT_EQ(found_in(tree, one).caches[0].shared_by.size(), 4U);
}

TEST(SysfsSource, WithoutAnyFileHasTheCpusOfThisProcess) {
  const SysfsTree tree;
  const auto topology = found_in(tree);
  EXPECT_FALSE(topology.threads.empty());
  EXPECT_EQ(topology.threads.size(), topology.online_cpus.size());
}

TEST(SysfsSource, RefusesWhatOnlyHwlocCouldDo) {
  const SysfsTree tree;
  for (const char* name : {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT"}) {
    const EnvironmentGuard asks(name, "pack:2");
    const auto topology = find_by_sysfs(tree.roots(), kSilent);
    ASSERT_FALSE(topology.has_value()) << name;
    EXPECT_EQ(topology.error().status, ExitStatus::kUsage);
    EXPECT_NE(topology.error().message.find(name), std::string::npos) << topology.error().message;
  }
}

TEST(SysfsSource, MayBeAskedForTheRealRootAndForNothing) {
  const SysfsTree tree;
  const EnvironmentGuard root("HWLOC_FSROOT", "/");
  const EnvironmentGuard empty("HWLOC_XMLFILE", "");
  EXPECT_TRUE(find_by_sysfs(tree.roots(), kSilent).has_value());
}

}  // namespace
}  // namespace streamgage
