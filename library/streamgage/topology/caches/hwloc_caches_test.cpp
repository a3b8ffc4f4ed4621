#include "streamgage/topology/caches/hwloc_caches.hpp"

#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"
#include "streamgage/topology/testing/hybrid_xml.hpp"

namespace streamgage {
namespace {

std::vector<Cache> caches_of(const char* variable, const std::string& value) {
  const EnvironmentGuard guard(variable, value);
  const auto topology = HwlocTopology::load();
  if (!topology) {
    ADD_FAILURE() << topology.error().message;
    return {};
  }
  return find_caches(*topology);
}

Machine hybrid() {
  const FakeTree tree;
  Machine machine;
  machine.caches = caches_of("HWLOC_XMLFILE", write_hybrid_xml(tree));
  return machine;
}

TEST(Caches, OfOneLevelAreInstancesOfOneGroup) {
  const auto caches = caches_of("HWLOC_SYNTHETIC",
                                "pack:2 l3:2(size=8MiB) l2:3(size=512KiB) l1d:1(size=32KiB) "
                                "l1i:1(size=64KiB) core:1 pu:2");
  ASSERT_EQ(caches.size(), 4U);
  EXPECT_EQ(caches[0].kind, "data");
  EXPECT_EQ(caches[0].bytes, 32768U);
  EXPECT_EQ(caches[1].kind, "instruction");
  EXPECT_EQ(caches[1].level, 1);
  EXPECT_EQ(caches[2].level, 2);
  EXPECT_EQ(caches[3].level, 3);
  EXPECT_EQ(caches[3].kind, "unified");
  EXPECT_EQ(caches[3].line_bytes, 64);
  ASSERT_EQ(caches[3].shared_by.size(), 4U);
  EXPECT_EQ(caches[3].shared_by[1], (CpuList{6, 7, 8, 9, 10, 11}));
}

TEST(Caches, OfOneLevelDifferOnAHybridProcessor) {
  const auto caches = hybrid().caches;
  ASSERT_EQ(caches.size(), 3U);
  EXPECT_EQ(caches[0].bytes, 4 * kMiB);
  EXPECT_EQ(caches[1].bytes, 2 * kMiB);
  EXPECT_EQ(caches[1].shared_by, (std::vector<CpuList>{{0, 1}, {4, 5}}));
}

TEST(LastLevelCache, CountsEachInstanceInUseOnce) {
  Machine machine;
  machine.caches = caches_of("HWLOC_SYNTHETIC", "pack:2 l3:2(size=8MiB) l2:3 core:1 pu:2");
  EXPECT_EQ(last_level_cache_bytes(machine, {0}), 8 * kMiB);
  EXPECT_EQ(last_level_cache_bytes(machine, {0, 1, 2, 0}), 8 * kMiB);
  EXPECT_EQ(last_level_cache_bytes(machine, {0, 12}), 16 * kMiB);
  EXPECT_EQ(last_level_cache_bytes(machine, {0, 6, 12, 18}), 32 * kMiB);
  EXPECT_EQ(last_level_cache_bytes(machine, {}), 0U);
}

TEST(LastLevelCache, IsTheHighestThatEachCoreHas) {
  const Machine machine = hybrid();
  EXPECT_EQ(last_level_cache_bytes(machine, {0, 2}), 24 * kMiB);
  EXPECT_EQ(last_level_cache_bytes(machine, {4}), 2 * kMiB);
  EXPECT_EQ(last_level_cache_bytes(machine, {0, 4, 5}), 26 * kMiB);
}

TEST(Caches, MayBeUnknown) {
  Machine machine;
  machine.caches = caches_of("HWLOC_SYNTHETIC", "core:4 pu:1");
  EXPECT_TRUE(machine.caches.empty());
  EXPECT_EQ(last_level_cache_bytes(machine, {0, 1}), 0U);
}

}  // namespace
}  // namespace streamgage
