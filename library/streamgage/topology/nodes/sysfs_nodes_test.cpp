#include "streamgage/topology/nodes/sysfs_nodes.hpp"

#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

#include "streamgage/topology/testing/example_trees.hpp"

namespace streamgage {
namespace {

constexpr std::uint64_t kGibibyte = 1 << 30;

TEST(SysfsNodes, HaveTheirCpusMemoryAndDistances) {
  const SysfsTree tree;
  write_two_packages_with_smt(tree);
  const auto found = read_numa_nodes(tree.roots(), cpus_from(0, 16));
  ASSERT_EQ(found.nodes.size(), 2U);
  EXPECT_EQ(found.nodes[1].cpus, (CpuList{4, 5, 6, 7, 12, 13, 14, 15}));
  EXPECT_EQ(found.nodes[1].bytes, 4 * kGibibyte);
  EXPECT_EQ(found.distances.at({0, 1}), 21U);
}

TEST(SysfsNodes, ReportWhatIsFreeWhereTheKernelDoes) {
  const SysfsTree tree;
  write_two_packages_with_smt(tree);
  tree.write("sys/devices/system/node/node1/meminfo",
             "Node 1 MemTotal:  4194304 kB\nNode 1 MemFree:  1048576 kB\n"
             "Node 1 Active(file): 524288 kB\nNode 1 Inactive(file): 524288 kB\n");
  tree.write("sys/devices/system/node/node0/meminfo", "Node 0 Active(file): 524288 kB\n");
  auto nodes = read_numa_nodes(tree.roots(), cpus_from(0, 16)).nodes;
  read_free_memory(nodes, tree.roots());
  EXPECT_EQ(nodes[0].free_bytes, std::nullopt);
  EXPECT_EQ(nodes[0].available_bytes, std::nullopt);
  EXPECT_EQ(nodes[1].free_bytes, kGibibyte);
  EXPECT_EQ(nodes[1].available_bytes, 2 * kGibibyte);
  EXPECT_EQ(node_numbers(nodes), (CpuList{0, 1}));
}

TEST(SysfsNodes, OfMemoryOnlyHaveNoCpusAndMayHaveGapsInTheirNumbers) {
  const SysfsTree tree;
  write_memory_only_nodes(tree);
  const auto found = read_numa_nodes(tree.roots(), cpus_from(0, 4));
  ASSERT_EQ(found.nodes.size(), 5U);
  EXPECT_TRUE(found.nodes[2].cpus.empty());
  EXPECT_EQ(found.nodes[4].os_index, 8);
  EXPECT_EQ(found.nodes[4].bytes, 256 * kGibibyte);
  EXPECT_EQ(found.distances.at({1, 8}), 40U);
}

TEST(SysfsNodes, ThatHoldNoMemoryHaveNone) {
  const SysfsTree tree;
  write_two_packages_with_smt(tree);
  tree.write_node(1, {4, 5, 6, 7}, 0, "21 10");
  const auto found = read_numa_nodes(tree.roots(), cpus_from(0, 8));
  EXPECT_EQ(found.nodes[1].bytes, 0U);
  tree.write_node(0, {0, 1, 2, 3}, 0, "10 21");
  EXPECT_EQ(read_numa_nodes(tree.roots(), cpus_from(0, 8)).nodes[1].bytes, std::nullopt);
}

TEST(SysfsNodes, AreOneWithAllMemoryWhereTheKernelKnowsNone) {
  const SysfsTree tree;
  write_bare_board(tree);
  const auto found = read_numa_nodes(tree.roots(), cpus_from(0, 4));
  ASSERT_EQ(found.nodes.size(), 1U);
  EXPECT_EQ(found.nodes[0].cpus, cpus_from(0, 4));
  EXPECT_EQ(found.nodes[0].bytes, kGibibyte);
}

TEST(SysfsNodes, AreTheFoldersWhereNoListIs) {
  const SysfsTree tree;
  write_memory_only_nodes(tree);
  tree.write_online_nodes("garbage");
  EXPECT_EQ(read_numa_nodes(tree.roots(), cpus_from(0, 4)).nodes.size(), 5U);
}

TEST(SysfsNodes, HouseACpuOnceAtMostWhateverTheFilesHold) {
  const SysfsTree tree;
  write_memory_only_nodes(tree);
  for (const char* text : {"", "garbage", "0-3", "9-1", "0-1048576"}) {
    tree.write("sys/devices/system/node/node1/cpulist", text);
    tree.write("sys/devices/system/node/node1/meminfo", text);
    tree.write("sys/devices/system/node/node1/distance", text);
    CpuList housed;
    for (const NumaNode& node : read_numa_nodes(tree.roots(), cpus_from(0, 4)).nodes) {
      housed.insert(housed.end(), node.cpus.begin(), node.cpus.end());
    }
    std::sort(housed.begin(), housed.end());
    // CPUs 2 and 3 are of the node whose list says nothing.
    const bool has_a_list = std::string_view(text).starts_with("0-");
    EXPECT_EQ(housed, cpus_from(0, has_a_list ? 4 : 2)) << text;
  }
}

}  // namespace
}  // namespace streamgage
