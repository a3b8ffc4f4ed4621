#include "streamgage/topology/hwloc/hwloc_topology.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

TEST(HwlocTopology, IsWhatTheEnvironmentAsksFor) {
  const EnvironmentGuard synthetic("HWLOC_SYNTHETIC", "pack:2 core:2 pu:2");
  const auto topology = HwlocTopology::load();
  ASSERT_TRUE(topology.has_value());
  EXPECT_FALSE(topology->is_this_system());
  EXPECT_EQ(topology->online_cpus(), (CpuList{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(HwlocTopology, IsNotReplacedByTheRealMachineSilently) {
  const EnvironmentGuard quiet("HWLOC_HIDE_ERRORS", "2");
  for (const char* name : {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT"}) {
    const EnvironmentGuard broken(name, "/no/such:thing");
    const auto topology = HwlocTopology::load();
    ASSERT_FALSE(topology.has_value()) << name;
    EXPECT_EQ(topology.error().status, ExitStatus::kUsage);
    EXPECT_NE(topology.error().message.find(name), std::string::npos) << topology.error().message;
  }
}

TEST(HwlocTopology, OfMoreCpusThanAnyMachineHasIsRefused) {
  for (const char* description : {"pack:1 core:100000 pu:1", "pack:64 core:64 pu:4",
                                  "pack:4000000000 core:4000000000 pu:4000000000"}) {
    const EnvironmentGuard synthetic("HWLOC_SYNTHETIC", description);
    const auto topology = HwlocTopology::load();
    ASSERT_FALSE(topology.has_value()) << description;
    EXPECT_EQ(topology.error().status, ExitStatus::kUsage);
    EXPECT_EQ(topology.error().message,
              "HWLOC_SYNTHETIC describes more CPUs than any machine has; describe 8192 at most");
  }
}

TEST(HwlocTopology, TheCpusOfADescriptionAreCounted) {
  EXPECT_EQ(cpus_described("pack:2 l2:3 core:1 pu:2"), 12U);
  EXPECT_EQ(cpus_described("2 3 4"), 24U);
  EXPECT_EQ(cpus_described("[numa(memory=512GB)] pack:2(indexes=0,1) [numa] core:2 pu:1"), 4U);
}

TEST(HwlocTopology, MayBeAskedForAsTheRealRoot) {
  const EnvironmentGuard root("HWLOC_FSROOT", "/");
  EXPECT_TRUE(HwlocTopology::load().has_value());
}

TEST(HwlocTopology, SetOfCpusMayBeEmptyOrInfinite) {
  EXPECT_EQ(cpus_in(nullptr), CpuList{});
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  EXPECT_EQ(cpus_in(set), CpuList{});
  hwloc_bitmap_set(set, 3);
  hwloc_bitmap_set(set, 1500);
  EXPECT_EQ(cpus_in(set), (CpuList{3, 1500}));
  hwloc_bitmap_fill(set);
  EXPECT_EQ(cpus_in(set), CpuList{});
  hwloc_bitmap_free(set);
}

}  // namespace
}  // namespace streamgage
