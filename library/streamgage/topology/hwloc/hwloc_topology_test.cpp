#include "streamgage/topology/hwloc/hwloc_topology.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/hwloc/hwloc_request.hpp"
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
              "HWLOC_SYNTHETIC describes more CPUs than any machine has; describe at most 8192");
  }
}

TEST(HwlocTopology, TheCpusOfADescriptionAreCounted) {
  EXPECT_EQ(cpus_described("pack:2 l2:3 core:1 pu:2"), 12U);
  EXPECT_EQ(cpus_described("2 3 4"), 24U);
  EXPECT_EQ(cpus_described("[numa(memory=512GB)] pack:2(indexes=0,1) [numa] core:2 pu:1"), 4U);
}

std::string why_not(const char* variable, const std::string& value) {
  const EnvironmentGuard asked(variable, value);
  const auto topology = HwlocTopology::load();
  if (topology) {
    return "loaded";
  }
  EXPECT_EQ(topology.error().status, ExitStatus::kUsage);
  return topology.error().message;
}

TEST(HwlocTopology, OfAFolderThatIsNoRootIsRefused) {
  const FakeTree tree;
  const std::string empty = tree.path("");
  EXPECT_EQ(why_not("HWLOC_FSROOT", empty),
            "HWLOC_FSROOT='" + empty +
                "' holds no /sys/devices/system/cpu: name the folder that has proc and sys in it");
  tree.write("node7/sys/devices/system/cpu/online", "0");
  EXPECT_EQ(why_not("HWLOC_FSROOT", empty),
            "HWLOC_FSROOT='" + empty +
                "' holds no /sys/devices/system/cpu: name the folder that has proc and sys in "
                "it, " +
                tree.path("node7"));
}

TEST(HwlocTopology, OfANewerXmlIsRefusedWithItsVersion) {
  const FakeTree tree;
  tree.write("new.xml", "<?xml version=\"1.0\"?>\n<topology version=\"97.0\">\n</topology>\n");
  const std::string file = tree.path("new.xml");
  EXPECT_TRUE(why_not("HWLOC_XMLFILE", file)
                  .starts_with("HWLOC_XMLFILE='" + file +
                               "' cannot be used: hwloc 97 saved it (version 97.0)"));
  EXPECT_EQ(why_not("HWLOC_XMLFILE", tree.path("none.xml")),
            "HWLOC_XMLFILE='" + tree.path("none.xml") +
                "' cannot be used: the file cannot be read (No such file or directory); correct "
                "the variable or unset it");
}

TEST(HwlocTopology, OfTwoDescriptionsIsRefused) {
  const EnvironmentGuard synthetic("HWLOC_SYNTHETIC", "pu:2");
  EXPECT_EQ(why_not("HWLOC_XMLFILE", "x.xml"),
            "HWLOC_SYNTHETIC and HWLOC_XMLFILE each describe a machine; unset one of them");
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
