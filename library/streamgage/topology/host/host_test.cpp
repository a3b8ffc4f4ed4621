#include "streamgage/topology/host/host.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

TEST(HostMemory, IsWhatTheKernelCallsAvailable) {
  const FakeTree tree;
  tree.write("proc/meminfo",
             "MemTotal:       24684092 kB\nMemFree:  100 kB\nMemAvailable:   24435568 kB\n");
  const auto memory = find_host_memory(tree.roots());
  ASSERT_TRUE(memory.has_value());
  EXPECT_EQ(memory->bytes, 24684092ULL * 1024);
  EXPECT_EQ(memory->available_bytes, 24435568ULL * 1024);
}

TEST(HostMemory, OnOldKernelsIsFreeAndCached) {
  const FakeTree tree;
  tree.write("proc/meminfo", "MemTotal: 1000 kB\nMemFree: 300 kB\nCached: 200 kB");
  EXPECT_EQ(find_host_memory(tree.roots())->available_bytes, 500U * 1024);
}

TEST(HostMemory, IsThatOfTheNodesThatACpusetAllows) {
  FakeTree tree;
  tree.write("proc/meminfo", "MemTotal: 4000 kB\nMemAvailable: 3000 kB\n");
  tree.write("sys/devices/system/node/has_memory", "0-1,4\n");
  for (const int node : {0, 1, 4}) {
    const std::string name = std::to_string(node);
    tree.write("sys/devices/system/node/node" + name + "/meminfo",
               "Node " + name + " MemTotal: 1300 kB\nNode " + name + " MemFree: 500 kB\nNode " +
                   name + " Inactive(file): 7 kB\n");
  }
  tree.write("proc/self/status", "Name:\tx\nMems_allowed_list:\t0-1,4\nx: 1\n");
  EXPECT_EQ(find_host_memory(tree.roots())->available_bytes, 3000U * 1024);
  tree.write("proc/self/status", "Name:\tx\nMems_allowed_list:\t1,4\nx: 1\n");
  EXPECT_EQ(find_host_memory(tree.roots())->available_bytes, 2U * 507 * 1024);
}

TEST(HostMemory, ThatIsNotReportedIsAnError) {
  const FakeTree tree;
  EXPECT_FALSE(find_host_memory(tree.roots()).has_value());
  for (const char* text : {"", "MemTotal:", "MemTotal: many kB", "MemTotal: 0 kB"}) {
    tree.write("proc/meminfo", text);
    EXPECT_FALSE(find_host_memory(tree.roots()).has_value()) << text;
  }
}

TEST(HugePages, AreInTheStateInBrackets) {
  const FakeTree tree;
  tree.write("sys/kernel/mm/ksm/run", "0\n");  // a kernel without them
  EXPECT_EQ(find_huge_pages(tree.roots())->state, "unavailable");
  EXPECT_EQ(find_huge_pages(tree.roots())->bytes, std::nullopt);
  tree.write("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152");
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  EXPECT_EQ(find_huge_pages(tree.roots())->state, "madvise");
  EXPECT_EQ(find_huge_pages(tree.roots())->bytes, 2097152U);
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
  EXPECT_EQ(find_huge_pages(tree.roots())->state, "always");
  for (const char* text : {"", "[", "]always[", "always madvise never", "[perhaps]"}) {
    tree.write("sys/kernel/mm/transparent_hugepage/enabled", text);
    EXPECT_FALSE(find_huge_pages(tree.roots())) << text;
  }
}

TEST(HugePages, AreUnknownWhereSysIsHidden) {
  const FakeTree tree;
  const auto huge_pages = find_huge_pages(tree.roots());
  ASSERT_FALSE(huge_pages);
  EXPECT_EQ(huge_pages.error().reason, tree.path("sys") + " is not mounted here");
}

TEST(HugePages, OnOldKernelsHaveTheDefaultSize) {
  const FakeTree tree;
  tree.write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
  tree.write("proc/meminfo", "Hugepagesize:     524288 kB\n");
  EXPECT_EQ(find_huge_pages(tree.roots())->bytes, 524288ULL * 1024);
}

TEST(NumaBalancing, IsOnInEveryModeButZero) {
  const FakeTree tree;
  EXPECT_FALSE(find_numa_balancing(tree.roots()));  // /proc is hidden
  tree.write("proc/sys/kernel/ostype", "Linux\n");
  EXPECT_EQ(find_numa_balancing(tree.roots()).value(), std::nullopt);
  tree.write("proc/sys/kernel/numa_balancing", "0\n");
  EXPECT_EQ(find_numa_balancing(tree.roots()).value(), false);
  tree.write("proc/sys/kernel/numa_balancing", "2");
  EXPECT_EQ(find_numa_balancing(tree.roots()).value(), true);
  tree.write("proc/sys/kernel/numa_balancing", "on");
  EXPECT_FALSE(find_numa_balancing(tree.roots()));
}

TEST(System, IsMakerAndModel) {
  const FakeTree tree;
  EXPECT_EQ(find_system(tree.roots()), std::nullopt);
  tree.write("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
  EXPECT_EQ(find_system(tree.roots()), "Amazon EC2");
  tree.write("sys/class/dmi/id/product_name", "c6i.metal \n");
  EXPECT_EQ(find_system(tree.roots()), "Amazon EC2 c6i.metal");
  tree.write("sys/class/dmi/id/sys_vendor", "HP");
  tree.write("sys/class/dmi/id/product_name", "HP ProLiant");
  EXPECT_EQ(find_system(tree.roots()), "HP ProLiant");
}

TEST(Firmware, IsWhatTheKernelReadsOfIt) {
  const FakeTree tree;
  EXPECT_EQ(find_firmware(tree.roots()).bios, std::nullopt);
  EXPECT_EQ(find_firmware(tree.roots()).microcode, std::nullopt);
  tree.write("sys/class/dmi/id/bios_version", "1.8.2\n");
  tree.write("sys/devices/system/cpu/cpu0/microcode/version", "0xa101148\n");
  EXPECT_EQ(find_firmware(tree.roots()).bios, "1.8.2");
  EXPECT_EQ(find_firmware(tree.roots()).microcode, "0xa101148");
}

TEST(System, IsNoPlaceholder) {
  const FakeTree tree;
  tree.write("sys/class/dmi/id/sys_vendor", "To Be Filled By O.E.M.\n");
  tree.write("sys/class/dmi/id/product_name", "Default string\n");
  EXPECT_EQ(find_system(tree.roots()), std::nullopt);
  tree.write("sys/firmware/devicetree/base/model", std::string("Raspberry Pi 4\0", 15));
  EXPECT_EQ(find_system(tree.roots()), "Raspberry Pi 4");
}

TEST(HostNames, NameTheKernelWithItsRelease) {
  const auto names = find_host_names();
  ASSERT_TRUE(names.has_value());
  EXPECT_TRUE(names->kernel.starts_with("Linux "));
  EXPECT_FALSE(names->architecture.empty());
}

}  // namespace
}  // namespace streamgage
