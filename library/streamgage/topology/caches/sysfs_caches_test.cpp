#include "streamgage/topology/caches/sysfs_caches.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/caches/caches.hpp"
#include "streamgage/topology/testing/example_trees.hpp"

namespace streamgage {
namespace {

TEST(SysfsCaches, AreOnceEachHoweverManyCpusShareThem) {
  const SysfsTree tree;
  write_two_packages_with_smt(tree);
  const auto caches = group_caches(read_caches(tree.roots(), cpus_from(0, 16)));
  ASSERT_EQ(caches.size(), 4U);
  EXPECT_EQ(caches[0].kind, "data");
  EXPECT_EQ(caches[0].bytes, 32768U);
  EXPECT_EQ(caches[0].line_bytes, 64);
  EXPECT_EQ(caches[0].shared_by.size(), 8U);
  EXPECT_EQ(caches[1].kind, "instruction");
  EXPECT_EQ(caches[3].level, 3);
  EXPECT_EQ(caches[3].shared_by,
            (std::vector<CpuList>{{0, 1, 2, 3, 8, 9, 10, 11}, {4, 5, 6, 7, 12, 13, 14, 15}}));
}

TEST(SysfsCaches, OfOneLevelDifferOnAHybridProcessor) {
  const SysfsTree tree;
  write_hybrid(tree);
  Machine machine;
  machine.caches = group_caches(read_caches(tree.roots(), cpus_from(0, 6)));
  ASSERT_EQ(machine.caches.size(), 5U);
  EXPECT_EQ(machine.caches[0].bytes, 48U << 10U);
  EXPECT_EQ(machine.caches[2].bytes, 4U << 20U);
  EXPECT_EQ(machine.caches[3].shared_by, (std::vector<CpuList>{{0, 1}, {4, 5}}));
  EXPECT_EQ(last_level_cache_bytes(machine, {0, 4}), 26U << 20U);
}

TEST(SysfsCaches, AreSharedByOnlineCpusOnly) {
  const SysfsTree tree;
  tree.write_cache(0, 2, "Unified", 256, {0, 1, 2, 3});
  const auto caches = read_caches(tree.roots(), {1, 3});
  ASSERT_EQ(caches.size(), 1U);
  EXPECT_EQ(caches[0].shared_by, (std::vector<CpuList>{{1, 3}}));
}

TEST(SysfsCaches, OfUnknownSizeAreKept) {
  const SysfsTree tree;
  tree.write_cache(0, 2, "Unified", 256, {0});
  for (const char* size : {"", "K", "-1K", "many", "99999999999999999K"}) {
    tree.write(SysfsTree::cpu_folder_of(0) + "/cache/index0/size", size);
    const auto caches = read_caches(tree.roots(), {0});
    ASSERT_EQ(caches.size(), 1U) << size;
    EXPECT_EQ(caches[0].bytes, 0U) << size;
  }
  tree.write(SysfsTree::cpu_folder_of(0) + "/cache/index0/size", "2M");
  EXPECT_EQ(read_caches(tree.roots(), {0}).at(0).bytes, 2U << 20U);
}

TEST(SysfsCaches, ThatMakeNoSenseAreLeftOut) {
  const SysfsTree tree;
  EXPECT_TRUE(read_caches(tree.roots(), {0}).empty());
  tree.write_cache(0, 6, "Unified", 256, {0});
  tree.write_cache(1, 4, "Instruction", 256, {0});
  tree.write_cache(2, 0, "Data", 256, {0});
  tree.write_cache(3, 1, "Data", 256, {0});
  tree.write(SysfsTree::cpu_folder_of(0) + "/cache/index3/shared_cpu_list", "\x01garbage");
  tree.write_cache(4, 1, "Data", 256, {0});
  tree.write(SysfsTree::cpu_folder_of(0) + "/cache/index4/level", "one");
  EXPECT_TRUE(read_caches(tree.roots(), {0}).empty());
  tree.write_cache(5, 1, "Data", 256, {0});
  tree.write(SysfsTree::cpu_folder_of(0) + "/cache/index5/coherency_line_size", "9999999999");
  EXPECT_EQ(read_caches(tree.roots(), {0}).at(0).line_bytes, 0);
}

}  // namespace
}  // namespace streamgage
