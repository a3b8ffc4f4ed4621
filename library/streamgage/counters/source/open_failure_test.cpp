#include "streamgage/counters/source/open_failure.hpp"

#include <cerrno>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

using testing::HasSubstr;

OpenFailure explain(int error, std::optional<int> level = 2) {
  return explain_open_failure({error, std::generic_category()}, level);
}

TEST(OpenFailure, OfPermissionReportsTheLevelAndWhatToSet) {
  for (const int error : {EACCES, EPERM}) {
    EXPECT_THAT(explain(error, 2).reason, HasSubstr("(kernel.perf_event_paranoid is 2)"));
    EXPECT_THAT(explain(error, 2).remedy, HasSubstr("sysctl kernel.perf_event_paranoid=0"));
    EXPECT_THAT(explain(error, 1).remedy, HasSubstr("CAP_PERFMON"));
    EXPECT_THAT(explain(error, -1).reason, HasSubstr("is -1)"));
    EXPECT_THAT(explain(error, -1).remedy, HasSubstr("seccomp"));
    EXPECT_THAT(explain(error, {}).reason, HasSubstr("cannot be read"));
  }
}

TEST(OpenFailure, OfOtherKindsReportsWhatWouldChangeIt) {
  EXPECT_THAT(explain(ENOENT).reason, HasSubstr("does not know the PMU or its event"));
  EXPECT_THAT(explain(ENODEV).remedy, HasSubstr("kernel module"));
  EXPECT_THAT(explain(EAGAIN).reason, HasSubstr("something else holds"));
  EXPECT_THAT(explain(EBUSY).remedy, HasSubstr("other monitors"));
  EXPECT_THAT(explain(EINVAL).remedy, HasSubstr("newer kernel"));
  EXPECT_THAT(explain(EMFILE).remedy, HasSubstr("ulimit -n"));
  EXPECT_THAT(explain(ENOSYS).remedy, HasSubstr("CONFIG_PERF_EVENTS"));
  EXPECT_THAT(explain(EIO).reason, HasSubstr("Input/output error"));
}

TEST(ParanoidLevel, IsANumberThatMayBeNegative) {
  const FakeTree tree;
  EXPECT_EQ(read_paranoid_level(tree.roots()), std::nullopt);
  const std::string file = "proc/sys/kernel/perf_event_paranoid";
  tree.write(file, "-1\n");
  EXPECT_EQ(read_paranoid_level(tree.roots()), -1);
  tree.write(file, "3");
  EXPECT_EQ(read_paranoid_level(tree.roots()), 3);
  tree.write(file, "high\n");
  EXPECT_EQ(read_paranoid_level(tree.roots()), std::nullopt);
}

}  // namespace
}  // namespace streamgage
