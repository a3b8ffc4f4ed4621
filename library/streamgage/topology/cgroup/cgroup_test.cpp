#include "streamgage/topology/cgroup/cgroup.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

constexpr const char* kV2Mount =
    "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

// The reason for which something is not known; empty where it is known.
template <class T>
std::string reason_of(const Fact<T>& fact) {
  return fact ? "" : fact.error().reason;
}

TEST(Cgroup, WithoutAnyGroupLimitsNothing) {
  const FakeTree tree;
  tree.write("proc/self/status", "Name:\tx\n");  // a kernel without control groups
  EXPECT_EQ(cpu_quota(tree.roots()).value(), std::nullopt);
  EXPECT_EQ(throttled_seconds(tree.roots()), std::nullopt);
  EXPECT_FALSE(memory_limit(tree.roots()).value().has_value());
}

TEST(Cgroup, ThatCannotBeReadIsNoProofOfNoLimit) {
  const FakeTree tree;
  EXPECT_EQ(reason_of(cpu_quota(tree.roots())), tree.path("proc") + " is not mounted here");
  // The file names a group, and what is mounted is hidden by an empty /sys.
  tree.write("proc/self/mountinfo", "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  tree.write("proc/self/cgroup", "1:cpu:/case\n0::/\n");
  EXPECT_EQ(reason_of(cpu_quota(tree.roots())), tree.path("sys") + " is not mounted here");
  EXPECT_EQ(throttled_seconds(tree.roots()), std::nullopt);
  tree.write("sys/kernel/uevent_seqnum", "1");
  EXPECT_EQ(reason_of(cpu_quota(tree.roots())),
            tree.path("sys/fs/cgroup/cpu/case") + " cannot be read (No such file or directory)");
  EXPECT_EQ(reason_of(memory_limit(tree.roots())),
            "the control group / of this process is not mounted here");
}

TEST(Cgroup, OfAnotherFormIsNoProofOfNoLimit) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kV2Mount);
  tree.write("proc/self/cgroup", "0::/job\n");
  for (const char* text : {"", "100000", "100000 0", "0 100000", "-5 100000", "a b"}) {
    tree.write("sys/fs/cgroup/job/cpu.max", text);
    tree.write("sys/fs/cgroup/job/memory.max", "lots\n");
    EXPECT_EQ(reason_of(cpu_quota(tree.roots())),
              tree.path("sys/fs/cgroup/job/cpu.max") + " says '" + text + "', which is not known");
    EXPECT_EQ(reason_of(memory_limit(tree.roots())),
              tree.path("sys/fs/cgroup/job/memory.max") + " says 'lots', which is not known");
  }
  tree.write("sys/fs/cgroup/job/cpu.max", "max");
  EXPECT_EQ(cpu_quota(tree.roots()).value(), std::nullopt);
}

TEST(CgroupV2, StrictestQuotaFromTheOwnGroupUpCounts) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kV2Mount);
  tree.write("proc/self/cgroup", "0::/user.slice/job/step\n");
  tree.write("sys/fs/cgroup/user.slice/cpu.max", "400000 100000\n");
  tree.write("sys/fs/cgroup/user.slice/job/cpu.max", "150000 100000");
  tree.write("sys/fs/cgroup/user.slice/job/step/cpu.max", "max 100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.roots()).value().value(), 1.5);
}

TEST(CgroupV2, StopsAreThoseOfTheGroupsWithAQuota) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kV2Mount);
  tree.write("proc/self/cgroup", "0::/job/step\n");
  tree.write("sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
  tree.write("sys/fs/cgroup/job/step/cpu.stat", "usage_usec 99\nthrottled_usec 5000000\n");
  EXPECT_EQ(throttled_seconds(tree.roots()), std::nullopt);
  tree.write("sys/fs/cgroup/job/cpu.max", "50000 100000\n");
  EXPECT_DOUBLE_EQ(throttled_seconds(tree.roots()).value(), 0.0);
  tree.write("sys/fs/cgroup/job/cpu.stat", "nr_throttled 3\nthrottled_usec 250000\n");
  EXPECT_DOUBLE_EQ(throttled_seconds(tree.roots()).value(), 0.25);
}

TEST(CgroupV2, LimitAndWhatIsLeftMayBeOfDifferentGroups) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kV2Mount);
  tree.write("proc/self/cgroup", "0::/job/step");
  tree.write("sys/fs/cgroup/job/memory.max", "1000\n");
  tree.write("sys/fs/cgroup/job/memory.current", "900\n");
  tree.write("sys/fs/cgroup/job/step/memory.max", "500\n");
  tree.write("sys/fs/cgroup/job/step/memory.current", "100\n");
  const auto limit = memory_limit(tree.roots()).value();
  ASSERT_TRUE(limit.has_value());
  EXPECT_EQ(limit->bytes, 500U);
  EXPECT_EQ(limit->free_bytes, 100U);
}

TEST(CgroupV2, InactiveFileCacheIsFree) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kV2Mount);
  tree.write("proc/self/cgroup", "0::/job\n");
  tree.write("sys/fs/cgroup/job/memory.max", "1000\n");
  tree.write("sys/fs/cgroup/job/memory.current", "800\n");
  tree.write("sys/fs/cgroup/job/memory.stat", "anon 500\nfile 300\ninactive_file 200\n");
  EXPECT_EQ(memory_limit(tree.roots()).value()->free_bytes, 400U);
  tree.write("sys/fs/cgroup/job/memory.stat", "inactive_file 5000\n");
  EXPECT_EQ(memory_limit(tree.roots()).value()->free_bytes, 1000U);
  tree.write("sys/fs/cgroup/job/memory.stat", "");
  tree.write("sys/fs/cgroup/job/memory.current", "5000\n");
  EXPECT_EQ(memory_limit(tree.roots()).value()->free_bytes, 0U);
}

TEST(CgroupV2, HighMarkLimitsToo) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kV2Mount);
  tree.write("proc/self/cgroup", "0::/job\n");
  tree.write("sys/fs/cgroup/job/memory.max", "max\n");
  tree.write("sys/fs/cgroup/job/memory.high", "700\n");
  EXPECT_EQ(memory_limit(tree.roots()).value()->bytes, 700U);
}

TEST(CgroupV2, InsideANamespaceIsTheMountItself) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kV2Mount);
  tree.write("proc/self/cgroup", "0::/\n");
  tree.write("sys/fs/cgroup/cpu.max", "200000 100000\n");
  tree.write("sys/fs/cgroup/memory.max", "4096\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.roots()).value().value(), 2.0);
  EXPECT_EQ(memory_limit(tree.roots()).value()->bytes, 4096U);
}

TEST(CgroupV2, MountOfAPartLeavesItsRootOut) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo",
             "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  tree.write("proc/self/cgroup", "0::/docker/abc/worker\n");
  tree.write("sys/fs/cgroup/cpu.max", "300000 100000\n");
  tree.write("sys/fs/cgroup/worker/cpu.max", "100000 100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.roots()).value().value(), 1.0);
  tree.write("proc/self/cgroup", "0::/docker/abc\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.roots()).value().value(), 3.0);
}

TEST(CgroupV2, PartWhoseNameSaysNothingIsTheContainersOwn) {
  const FakeTree tree;
  tree.write("sys/fs/cgroup/cpu.max", "300000 100000\n");
  for (const char* root : {"/docker/abc", "/../.."}) {
    tree.write("proc/self/mountinfo",
               std::string("30 23 0:26 ") + root + " /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
    for (const char* own : {"0::/\n", "0::/docker/abcd\n"}) {
      tree.write("proc/self/cgroup", own);
      EXPECT_DOUBLE_EQ(cpu_quota(tree.roots()).value().value(), 3.0) << root << own;
    }
  }
}

TEST(CgroupV2, GroupOutsideTheNamespaceIsNotLookedFor) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kV2Mount);
  tree.write("proc/self/cgroup", "0::/../other\n");
  tree.write("sys/fs/cgroup/cpu.max", "300000 100000\n");
  tree.write("sys/fs/other/cpu.max", "100000 100000\n");
  EXPECT_FALSE(cpu_quota(tree.roots()));
}

TEST(CgroupV1, QuotaAndLimitAreInHierarchiesOfTheirOwn) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo",
             "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
             "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  tree.write("proc/self/cgroup", "9:name=systemd:/x\n4:memory:/a/b\n1:cpu,cpuacct:/c\n");
  tree.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  tree.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  tree.write("sys/fs/cgroup/cpu,cpuacct/c/cpu.stat", "nr_periods 9\nthrottled_time 0\n");
  EXPECT_EQ(cpu_quota(tree.roots()).value(), std::nullopt);
  EXPECT_EQ(throttled_seconds(tree.roots()), std::nullopt);
  tree.write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "250000\n");
  tree.write("sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us", "100000\n");
  tree.write("sys/fs/cgroup/cpu,cpuacct/c/cpu.stat", "nr_periods 9\nthrottled_time 1500000000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.roots()).value().value(), 2.5);
  EXPECT_DOUBLE_EQ(throttled_seconds(tree.roots()).value(), 1.5);

  tree.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  tree.write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "10000\n");
  tree.write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "9000\n");
  tree.write("sys/fs/cgroup/memory/a/memory.stat", "inactive_file 1\ntotal_inactive_file 500\n");
  tree.write("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854710272");
  const auto limit = memory_limit(tree.roots()).value();
  ASSERT_TRUE(limit.has_value());
  EXPECT_EQ(limit->bytes, 10000U);
  EXPECT_EQ(limit->free_bytes, 1500U);
}

TEST(CgroupV1, GroupAboveThatDoesNotCountItsChildrenDoesNotLimitThem) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo",
             "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  tree.write("proc/self/cgroup", "4:memory:/a/b\n");
  tree.write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "10000\n");
  tree.write("sys/fs/cgroup/memory/a/memory.use_hierarchy", "0\n");
  tree.write("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_FALSE(memory_limit(tree.roots()).value().has_value());
  tree.write("sys/fs/cgroup/memory/a/memory.use_hierarchy", "1\n");
  EXPECT_EQ(memory_limit(tree.roots()).value()->bytes, 10000U);
}

TEST(CgroupMixed, BothVersionsCount) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo",
             "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
             "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  tree.write("proc/self/cgroup", "4:memory:/job\n0::/job\n");
  tree.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "10000\n");
  tree.write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1000\n");
  tree.write("sys/fs/cgroup/unified/job/cpu.max", "50000 100000\n");
  EXPECT_DOUBLE_EQ(cpu_quota(tree.roots()).value().value(), 0.5);
  EXPECT_EQ(memory_limit(tree.roots()).value()->free_bytes, 9000U);
}

TEST(Cgroup, BrokenFilesLimitNothing) {
  const FakeTree tree;
  for (const char* text :
       {"", "\n", ":", "0::", "0::relative", "1 2 3", "- cgroup2", "\n\n:::\n"}) {
    tree.write("proc/self/mountinfo", text);
    tree.write("proc/self/cgroup", text);
    EXPECT_EQ(cpu_quota(tree.roots()).value_or(std::nullopt), std::nullopt) << text;
    EXPECT_FALSE(memory_limit(tree.roots()).value_or(std::nullopt)) << text;
  }
}

TEST(Cgroup, OfThisProcessIsRead) {
  const auto limit = memory_limit().value_or(std::nullopt);
  EXPECT_TRUE(!limit || limit->free_bytes <= limit->bytes);
  EXPECT_EQ(cpu_quota().value_or(std::nullopt).has_value(), throttled_seconds().has_value());
}

}  // namespace
}  // namespace streamgage
