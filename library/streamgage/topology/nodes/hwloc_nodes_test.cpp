#include "streamgage/topology/nodes/hwloc_nodes.hpp"

#include <hwloc/distances.h>

#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

struct Numa {
  std::vector<NumaNode> nodes;
  std::map<int, int> nearest;
};

Numa numa_of(const std::string& synthetic) {
  const EnvironmentGuard guard("HWLOC_SYNTHETIC", synthetic);
  const auto topology = HwlocTopology::load();
  if (!topology) {
    ADD_FAILURE() << topology.error().message;
    return {};
  }
  Numa numa{find_numa_nodes(*topology, {}), {}};
  numa.nearest = nearest_memory(*topology, numa.nodes);
  return numa;
}

TEST(NumaNodes, OfTwoEpyc7451AreEight) {
  const auto numa = numa_of("pack:2 numa:4 l3:2 l2:3 core:1 pu:2");
  ASSERT_EQ(numa.nodes.size(), 8U);
  EXPECT_EQ(numa.nodes[7].cpus.size(), 12U);
  EXPECT_EQ(numa.nearest.at(0), 0);
  EXPECT_EQ(numa.nearest.at(95), 7);
}

TEST(NumaNodes, MayHaveGapsInTheirNumbers) {
  const auto numa = numa_of("numa:3(indexes=0,2,5) core:2 pu:1");
  ASSERT_EQ(numa.nodes.size(), 3U);
  EXPECT_EQ(numa.nodes[2].os_index, 5);
  EXPECT_EQ(numa.nodes[2].cpus, (CpuList{4, 5}));
  EXPECT_EQ(numa.nearest.at(3), 2);
}

TEST(NumaNodes, OfHighBandwidthMemoryHaveNoCpus) {
  const auto numa =
      numa_of("pack:2 [numa(memory=64GB indexes=0,1)] [numa(memory=16GB indexes=2,3)] core:2 pu:1");
  ASSERT_EQ(numa.nodes.size(), 4U);
  std::size_t with_cpus = 0;
  for (const NumaNode& node : numa.nodes) {
    with_cpus += node.cpus.empty() ? 0 : 1;
  }
  EXPECT_EQ(with_cpus, 2U);
  for (const auto& [cpu, node] : numa.nearest) {
    EXPECT_FALSE(numa.nodes[static_cast<std::size_t>(node)].cpus.empty()) << cpu;
  }
}

TEST(NumaNodes, HaveTheKindThatHwlocKnowsForCertain) {
  const EnvironmentGuard guard("HWLOC_SYNTHETIC", "numa:3 core:2 pu:1");
  const auto topology = HwlocTopology::load();
  ASSERT_TRUE(topology.has_value()) << topology.error().message;
  auto objects = topology->objects(HWLOC_OBJ_NUMANODE);
  objects[0]->subtype = strdup("MCDRAM");
  objects[1]->subtype = strdup("GPUMemory");
  objects[2]->subtype = strdup("HBM");
  const auto nodes = find_numa_nodes(*topology, {});
  EXPECT_EQ(nodes[0].kind, "MCDRAM");
  EXPECT_EQ(nodes[1].kind, "GPU memory");
  EXPECT_FALSE(nodes[2].kind);
}

TEST(NumaNodes, OfTheWholeMachineAreFartherThanThoseOfAPackage) {
  const auto numa = numa_of("[numa(memory=512GB)] pack:2 [numa(memory=64GB)] core:2 pu:1");
  ASSERT_EQ(numa.nodes.size(), 3U);
  for (const NumaNode& node : numa.nodes) {
    EXPECT_EQ(node.cpus.empty(), node.bytes > (std::uint64_t{100} << 30U)) << node.os_index;
  }
}

// Three nodes of two cores; hwloc has no synthetic form for sizes of 0 and for distances.
Numa numa_with(const std::vector<std::uint64_t>& local_memory,
               std::vector<std::uint64_t> distances) {
  const EnvironmentGuard guard("HWLOC_SYNTHETIC", "numa:3 core:2 pu:1");
  const auto topology = HwlocTopology::load();
  if (!topology) {
    ADD_FAILURE() << topology.error().message;
    return {};
  }
  auto nodes = topology->objects(HWLOC_OBJ_NUMANODE);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i]->attr->numanode.local_memory = local_memory[i];
  }
  if (!distances.empty()) {
    auto* const handle = hwloc_distances_add_create(
        topology->get(), nullptr,
        HWLOC_DISTANCES_KIND_MEANS_LATENCY | HWLOC_DISTANCES_KIND_FROM_USER, 0);
    EXPECT_EQ(
        hwloc_distances_add_values(topology->get(), handle, 3, nodes.data(), distances.data(), 0),
        0);
    EXPECT_EQ(hwloc_distances_add_commit(topology->get(), handle, 0), 0);
  }
  Numa numa{find_numa_nodes(*topology, {}), {}};
  numa.nearest = nearest_memory(*topology, numa.nodes);
  return numa;
}

TEST(NearestMemory, OfANodeWithoutMemoryIsAtTheLeastDistance) {
  const auto numa = numa_with({1 << 30, 0, 1 << 30}, {10, 30, 40, 30, 10, 20, 40, 20, 10});
  EXPECT_EQ(numa.nodes[1].bytes, 0U);
  EXPECT_EQ(numa.nearest.at(2), 2);
  EXPECT_EQ(numa.nearest.at(0), 0);
}

TEST(NearestMemory, IsTheFirstThatHasAnyWhereNoDistanceIsKnown) {
  const auto numa = numa_with({0, 1 << 30, 1 << 30}, {});
  EXPECT_EQ(numa.nearest.at(0), 1);
  EXPECT_EQ(numa.nearest.at(5), 2);
}

TEST(NumaNodes, WithoutAnyMemoryHaveAnUnknownSize) {
  const auto numa = numa_with({0, 0, 0}, {});
  EXPECT_EQ(numa.nodes[0].bytes, std::nullopt);
  EXPECT_EQ(numa.nearest.at(2), 1);
}

TEST(NumaNodes, OfThisSystemHoldTheCpusThatTheKernelSays) {
  const auto topology = HwlocTopology::load();
  ASSERT_TRUE(topology.has_value());
  std::vector<int> homes(1 << 16, 0);
  for (const NumaNode& node : find_numa_nodes(*topology, {})) {
    for (const int cpu : node.cpus) {
      ++homes.at(static_cast<std::size_t>(cpu));
    }
  }
  for (const int cpu : topology->online_cpus()) {
    EXPECT_EQ(homes[static_cast<std::size_t>(cpu)], 1) << cpu;
  }
}

}  // namespace
}  // namespace streamgage
