#include "streamgage/topology/cores/hwloc_core_kinds.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"
#include "streamgage/topology/testing/hybrid_xml.hpp"

namespace streamgage {
namespace {

TEST(CoreKinds, AreNoneWhereAllCoresAreTheSame) {
  const EnvironmentGuard synthetic("HWLOC_SYNTHETIC", "core:2 pu:1");
  const auto topology = HwlocTopology::load();
  ASSERT_TRUE(topology.has_value());
  EXPECT_TRUE(find_core_kinds(*topology).empty());
}

TEST(CoreKinds, OfAHybridProcessorAreRankedByEfficiency) {
  const FakeTree tree;
  const EnvironmentGuard xml("HWLOC_XMLFILE", write_hybrid_xml(tree));
  const auto topology = HwlocTopology::load();
  ASSERT_TRUE(topology.has_value());
  const auto kinds = find_core_kinds(*topology);
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[0].name, "LowPower");
  EXPECT_EQ(kinds[0].cpus, (CpuList{4, 5}));
  EXPECT_EQ(kinds[2].name, "IntelCore");
  EXPECT_EQ(kinds[2].efficiency, 2);
  EXPECT_EQ(kinds[2].cpus, (CpuList{0, 1}));
}

}  // namespace
}  // namespace streamgage
