#include "streamgage/topology/cgroup/cpuset.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

constexpr const char* kCpusetMount = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
constexpr const char* kV1Mount =
    "34 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n";

TEST(Cpuset, WithoutAnyGroupHoldsToNothing) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kCpusetMount);
  tree.write("proc/self/cgroup", "0::/job\n");
  EXPECT_FALSE(find_cgroup_cpus(tree.roots()));  // its folder cannot be seen
  tree.write("sys/fs/cgroup/job/cpu.max", "max 100000\n");
  EXPECT_FALSE(find_cgroup_cpus(tree.roots()).value().has_value());
}

TEST(Cpuset, IsThatOfTheNearestGroupThatReportsIt) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kCpusetMount);
  tree.write("proc/self/cgroup", "0::/slice/job/step\n");
  tree.write("sys/fs/cgroup/cpuset.cpus.effective", "0-15\n");
  tree.write("sys/fs/cgroup/slice/job/cpuset.cpus.effective", "2-3,8\n");
  const auto set = find_cgroup_cpus(tree.roots()).value();
  ASSERT_TRUE(set.has_value());
  EXPECT_EQ(set->source, "cgroup");
  EXPECT_EQ(set->cpus, (CpuList{2, 3, 8}));
  EXPECT_EQ(set->file, tree.path("sys/fs/cgroup/slice/job/cpuset.cpus.effective"));
}

TEST(Cpuset, OfVersionOneIsTheEffectiveOne) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kV1Mount);
  tree.write("proc/self/cgroup", "3:cpuset:/job\n0::/\n");
  tree.write("sys/fs/cgroup/cpuset/job/cpuset.cpus", "0-7\n");
  EXPECT_EQ(find_cgroup_cpus(tree.roots()).value()->cpus.size(), 8U);
  tree.write("sys/fs/cgroup/cpuset/job/cpuset.effective_cpus", "0-3\n");
  EXPECT_EQ(find_cgroup_cpus(tree.roots()).value()->cpus.size(), 4U);
}

TEST(Cpuset, ThatMakesNoSenseIsPassedOver) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", kCpusetMount);
  tree.write("proc/self/cgroup", "0::/job\n");
  tree.write("sys/fs/cgroup/cpuset.cpus.effective", "0-3\n");
  for (const char* text : {"", "\n", "max", "3-1", "1,,2"}) {
    tree.write("sys/fs/cgroup/job/cpuset.cpus.effective", text);
    EXPECT_EQ(find_cgroup_cpus(tree.roots()).value()->cpus.size(), 4U) << text;
  }
}

}  // namespace
}  // namespace streamgage
