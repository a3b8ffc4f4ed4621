#include "streamgage/topology/sysfs/sysfs_files.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/affinity_at_start.hpp"
#include "streamgage/topology/testing/example_trees.hpp"

namespace streamgage {
namespace {

TEST(NumberSet, IsAscendingAndMayBeEmpty) {
  const FakeTree tree;
  tree.write("sys/set", "0-3,8\n");
  EXPECT_EQ(read_number_set(tree.path("sys/set")), (CpuList{0, 1, 2, 3, 8}));
  tree.write("sys/set", "\n");
  EXPECT_EQ(read_number_set(tree.path("sys/set")), CpuList{});
}

TEST(NumberSet, ThatIsGarbageIsNothing) {
  const FakeTree tree;
  EXPECT_EQ(read_number_set(tree.path("sys/absent")), std::nullopt);
  for (const char* text : {"3-0", "0-3,2", "1,1", "0-", "-1", "a", ",", "0,,1", "0x1", "\xff\x01",
                           "99999999999999999999", "0-1048576,0-1048576,0-1048576"}) {
    tree.write("sys/set", text);
    EXPECT_EQ(read_number_set(tree.path("sys/set")), std::nullopt) << text;
  }
}

TEST(NumberedEntries, AreThoseWithNothingButANumber) {
  const FakeTree tree;
  for (const char* name :
       {"cpu10", "cpu2", "cpufreq", "cpu", "cpu1-2", "cpu3x", "node4", "cpu-5"}) {
    tree.write(std::string("sys/folder/") + name + "/file", "");
  }
  EXPECT_EQ(numbered_entries(tree.path("sys/folder"), "cpu"), (CpuList{2, 10}));
  EXPECT_TRUE(numbered_entries(tree.path("sys/absent"), "cpu").empty());
}

TEST(OnlineCpus, AreThoseOfTheKernelsList) {
  const SysfsTree tree;
  write_offline_cpus(tree);
  EXPECT_EQ(format_cpu_list(find_online_cpus(tree.roots())), "0-1,3-8,10-15");
}

TEST(OfflineCpus, AreThosePresentThatAreNotOnline) {
  const SysfsTree tree;
  write_offline_cpus(tree);
  const CpuList online = find_online_cpus(tree.roots());
  EXPECT_EQ(find_offline_cpus(tree.roots(), online), (CpuList{2, 9}));  // by their folders
  tree.write("sys/devices/system/cpu/present", "0-16\n");
  EXPECT_EQ(find_offline_cpus(tree.roots(), online), (CpuList{2, 9, 16}));
}

TEST(IsolatedCpus, AreThoseOfTheKernelsList) {
  const SysfsTree tree;
  EXPECT_FALSE(find_isolated_cpus(tree.roots()));  // /sys is hidden
  tree.write("sys/devices/system/cpu/online", "0-3\n");
  EXPECT_TRUE(find_isolated_cpus(tree.roots())->empty());
  tree.write("sys/devices/system/cpu/isolated", "\n");
  EXPECT_TRUE(find_isolated_cpus(tree.roots())->empty());
  tree.write("sys/devices/system/cpu/isolated", "2-3\n");
  EXPECT_EQ(find_isolated_cpus(tree.roots()).value(), (CpuList{2, 3}));
  tree.write("sys/devices/system/cpu/isolated", "some\n");
  EXPECT_FALSE(find_isolated_cpus(tree.roots()));
}

TEST(OnlineCpus, AreTheFoldersWhereNoListIs) {
  const SysfsTree tree;
  write_bare_board(tree);
  tree.write("sys/devices/system/cpu/cpu2/online", "0\n");
  tree.write("sys/devices/system/cpu/cpu3/online", "1\n");
  for (const char* online : {"", "garbage"}) {
    tree.write_online(online);
    EXPECT_EQ(find_online_cpus(tree.roots()), (CpuList{0, 1, 3}));
  }
}

TEST(OnlineCpus, AreThoseOfThisProcessWhereTheKernelReportsNothing) {
  const FakeTree tree;
  const auto mask = affinity_mask_at_start();
  const CpuList online = find_online_cpus(tree.roots());
  EXPECT_FALSE(online.empty());
  EXPECT_EQ(online, mask.value_or(online));
}

}  // namespace
}  // namespace streamgage
