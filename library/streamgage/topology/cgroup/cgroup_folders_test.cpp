#include "streamgage/topology/cgroup/cgroup_folders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CgroupFolders, GoFromTheOwnGroupUp) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("proc/self/cgroup", "0::/a/b");
  const auto root = tree.path("sys/fs/cgroup");
  EXPECT_THAT(cgroup_folders(tree.roots(), CgroupVersion::kTwo, ""),
              ElementsAre(root + "/a/b", root + "/a", root));
  EXPECT_THAT(cgroup_folders(tree.roots(), CgroupVersion::kOne, "cpu"), IsEmpty());
}

TEST(CgroupFolders, MayHaveColonsAndBlanksInTheirNames) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", "41 31 0:38 / /mnt/my\\040groups rw - cgroup2 cgroup2 rw\n");
  tree.write("proc/self/cgroup", "0::/a:b c\n");
  EXPECT_THAT(cgroup_folders(tree.roots(), CgroupVersion::kTwo, ""),
              ElementsAre("/mnt/my groups/a:b c", "/mnt/my groups"));
}

TEST(CgroupFolders, AreOfTheControllerByItsWholeName) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo",
             "33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
             "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpuacct,cpu\n");
  tree.write("proc/self/cgroup", "3:cpuset:/set\n1:cpuacct,cpu:/\n");
  EXPECT_THAT(cgroup_folders(tree.roots(), CgroupVersion::kOne, "cpu"),
              ElementsAre(tree.path("sys/fs/cgroup/cpu")));
}

TEST(CgroupFolders, AreOfTheMountThatShowsMost) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo",
             "41 31 0:38 /a /mnt/part rw - cgroup2 cgroup2 rw\n"
             "42 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("proc/self/cgroup", "0::/a\n");
  EXPECT_THAT(cgroup_folders(tree.roots(), CgroupVersion::kTwo, ""),
              ElementsAre(tree.path("sys/fs/cgroup/a"), tree.path("sys/fs/cgroup")));
}

TEST(CgroupFolders, OutsideSysStayWhereTheyAre) {
  const FakeTree tree;
  tree.write("proc/self/mountinfo", "41 31 0:38 / /system/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("proc/self/cgroup", "0::/\n");
  EXPECT_THAT(cgroup_folders(tree.roots(), CgroupVersion::kTwo, ""), ElementsAre("/system/cgroup"));
}

}  // namespace
}  // namespace streamgage
