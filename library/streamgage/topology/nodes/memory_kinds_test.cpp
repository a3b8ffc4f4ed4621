#include "streamgage/topology/nodes/memory_kinds.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/example_trees.hpp"

namespace streamgage {
namespace {

std::vector<NumaNode> one_with_cpus_and_two_without() {
  return {{0, {0, 1}, 96}, {1, {}, 16}, {8, {}, 32}};
}

TEST(MemoryKinds, AreUnknownForMostMachines) {
  const SysfsTree tree;
  tree.write("proc/cpuinfo", "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 143\n");
  auto nodes = one_with_cpus_and_two_without();
  name_memory_kinds(nodes, tree.roots());
  for (const NumaNode& node : nodes) {
    EXPECT_FALSE(node.kind) << node.os_index;
  }
}

TEST(MemoryKinds, OfAXeonPhiNameTheNodesWithoutCpus) {
  const SysfsTree tree;
  write_knights_landing(tree);
  auto nodes = one_with_cpus_and_two_without();
  name_memory_kinds(nodes, tree.roots());
  EXPECT_FALSE(nodes[0].kind);
  EXPECT_EQ(nodes[1].kind, kMcdram);
  EXPECT_EQ(nodes[2].kind, kMcdram);
}

TEST(MemoryKinds, NameTheMemoryOfGpusByTheirDriver) {
  const SysfsTree tree;
  const std::string gpus = "proc/driver/nvidia/gpus/";
  tree.write(gpus + "0009:01:00.0/numa_status", "Node: 8\nStatus: online\n");
  tree.write(gpus + "0019:01:00.0/numa_status", "Node: 0\n");  // which has CPUs
  tree.write(gpus + "0029:01:00.0/numa_status", "Node: -1\n");
  tree.write(gpus + "0039:01:00.0/information", "Model: none\n");
  auto nodes = one_with_cpus_and_two_without();
  name_memory_kinds(nodes, tree.roots());
  EXPECT_FALSE(nodes[0].kind);
  EXPECT_FALSE(nodes[1].kind);
  EXPECT_EQ(nodes[2].kind, kGpuMemory);
}

}  // namespace
}  // namespace streamgage
