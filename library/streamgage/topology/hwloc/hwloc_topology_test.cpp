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
