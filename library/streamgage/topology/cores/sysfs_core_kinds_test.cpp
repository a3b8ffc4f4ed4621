#include "streamgage/topology/cores/sysfs_core_kinds.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/example_trees.hpp"

namespace streamgage {
namespace {

void write_capacity(const SysfsTree& tree, int cpu, const char* capacity) {
  tree.write(SysfsTree::cpu_folder_of(cpu) + "/cpu_capacity", capacity);
}

TEST(SysfsCoreKinds, OfIntelsHybridsAreThoseWithCountersOfTheirOwn) {
  const SysfsTree tree;
  write_hybrid(tree);
  const auto kinds = read_core_kinds(tree.roots(), cpus_from(0, 6));
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[0].name, "IntelLowPower");
  EXPECT_EQ(kinds[0].efficiency, 0);
  EXPECT_EQ(kinds[2].name, "IntelCore");
  EXPECT_EQ(kinds[2].efficiency, 2);
  EXPECT_EQ(kinds[2].cpus, (CpuList{0, 1}));
}

TEST(SysfsCoreKinds, OfArmsHybridsAreThoseOfOneCapacity) {
  const SysfsTree tree;
  for (const int cpu : {0, 1, 2, 3}) {
    write_capacity(tree, cpu, cpu < 2 ? "1024\n" : "446\n");
  }
  const auto kinds = read_core_kinds(tree.roots(), cpus_from(0, 4));
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].name, std::nullopt);
  EXPECT_EQ(kinds[0].cpus, (CpuList{2, 3}));
  EXPECT_EQ(kinds[1].efficiency, 1);
}

TEST(SysfsCoreKinds, OfOneDesignAreOneWhateverTheirCapacity) {
  const SysfsTree tree;
  write_two_arm_designs(tree);
  const auto kinds = read_core_kinds(tree.roots(), cpus_from(0, 8));
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].name, "Arm Cortex-A725");
  EXPECT_EQ(kinds[0].cpus, (CpuList{0, 1, 2, 3}));
  EXPECT_EQ(kinds[1].name, "Arm Cortex-X925");
  EXPECT_EQ(kinds[1].efficiency, 1);
  EXPECT_EQ(kinds[1].cpus, (CpuList{4, 5, 6, 7}));
}

TEST(SysfsCoreKinds, AreKnownByThePartsThatCpuinfoNames) {
  const SysfsTree tree;
  tree.write("proc/cpuinfo",
             "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n\n"
             "processor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd03\n");
  const auto kinds = read_core_kinds(tree.roots(), cpus_from(0, 2));
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].name, "Arm Cortex-A53");
  EXPECT_EQ(kinds[0].efficiency, std::nullopt);  // nothing says which is faster
  EXPECT_EQ(kinds[1].name, "Arm Cortex-A72");
}

TEST(SysfsCoreKinds, WithoutADesignAreFewWhereCapacitiesDifferLittle) {
  const SysfsTree tree;
  const std::vector<const char*> capacities{"718", "731", "997", "1017", "1024"};
  for (int cpu = 0; cpu < 5; ++cpu) {
    write_capacity(tree, cpu, capacities.at(static_cast<std::size_t>(cpu)));
  }
  const auto kinds = read_core_kinds(tree.roots(), cpus_from(0, 5));
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].cpus, (CpuList{0, 1}));
  EXPECT_EQ(kinds[1].cpus, (CpuList{2, 3, 4}));
}

TEST(SysfsCoreKinds, AreNoneWhereAllAreTheSameOrNotAllAreReported) {
  const SysfsTree tree;
  const CpuList online = cpus_from(0, 2);
  EXPECT_TRUE(read_core_kinds(tree.roots(), online).empty());
  write_capacity(tree, 0, "1024");
  EXPECT_TRUE(read_core_kinds(tree.roots(), online).empty());
  write_capacity(tree, 1, "1024");
  EXPECT_TRUE(read_core_kinds(tree.roots(), online).empty());
  write_capacity(tree, 1, "much");
  tree.write("sys/devices/cpu_core/cpus", "0-1");
  tree.write("sys/devices/cpu_atom/cpus", "?");
  EXPECT_TRUE(read_core_kinds(tree.roots(), online).empty());
}

}  // namespace
}  // namespace streamgage
