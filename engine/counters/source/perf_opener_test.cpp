#include "counters/source/perf_opener.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include <gtest/gtest.h>

#include "counters/pmu/pmu.hpp"
#include "counters/source/open_failure.hpp"
#include "topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

// The time stamp counter is a PMU of sysfs as a memory controller is, and opens in many guests.
TEST(PerfOpener, CountsByARealPmuOfSysfs) {
  const auto msr = read_pmu({}, "msr");
  if (!msr) {
    GTEST_SKIP() << "NOT TESTED: this kernel shows no PMU 'msr': " << msr.error().message;
  }
  const auto tsc = event_by_alias(*msr, "tsc");
  ASSERT_TRUE(tsc) << tsc.error().message;
  const int cpu = find_online_cpus({}).front();
  PerfOpener opener;
  const auto counter = opener.open({"msr", "tsc", tsc->terms, msr->type, tsc->words, cpu});
  if (!counter) {
    GTEST_SKIP() << "NOT TESTED: msr/tsc/ cannot be opened: " << counter.error().message();
  }
  const auto before = (*counter)->read();
  ASSERT_TRUE(before) << before.error().message();
  auto after = (*counter)->read();
  while (after && after->enabled == before->enabled) {
    after = (*counter)->read();
  }
  ASSERT_TRUE(after) << after.error().message();
  EXPECT_GT(after->count, before->count);
  EXPECT_GT(after->running, before->running);
  EXPECT_LE(after->running, after->enabled);
}

// Ends a new process of a user without rights with the error that it gets, 0 where it gets none.
int error_for_nobody(const CounterRequest& request) {
  constexpr uid_t kNobody = 65534;
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(kNobody) != 0 || setuid(kNobody) != 0) {
      _exit(ECHILD);
    }
    const auto counter = PerfOpener().open(request);
    _exit(counter ? 0 : counter.error().value());
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(PerfOpener, IsRefusedToAUserWithoutRights) {
  const auto msr = read_pmu({}, "msr");
  const auto level = read_paranoid_level({});
  if (!msr || !level || *level < 1) {
    GTEST_SKIP() << "NOT TESTED: no PMU 'msr', or a kernel.perf_event_paranoid that allows it";
  }
  if (geteuid() != 0) {
    GTEST_SKIP() << "NOT TESTED: only root can become another user";
  }
  const int error = error_for_nobody({"msr", "tsc", "", msr->type, {}, 0});
  if (error == ENOSYS) {
    GTEST_SKIP() << "NOT TESTED: an emulator of programs does not know perf_event_open";
  }
  EXPECT_TRUE(error == EACCES || error == EPERM) << error;
  EXPECT_NE(explain_open_failure({error, std::generic_category()}, level).remedy, "");
}

TEST(PerfOpener, SaysWhyAPmuThatIsNotThereCannotBeOpened) {
  PerfOpener opener;
  const auto counter = opener.open({"gone", "x", "x", 0x7fff'fff0, {}, 0});
  ASSERT_FALSE(counter);
  EXPECT_NE(counter.error(), std::error_code());
}

TEST(PerfOpener, RefusesAWordThatTheKernelDoesNotTake) {
  PerfOpener opener;
  const auto counter = opener.open({"pmu", "x", "x", 0, {0, 0, 0, 1}, 0});
  ASSERT_FALSE(counter);
  EXPECT_EQ(counter.error(), std::errc::not_supported);
}

}  // namespace
}  // namespace streamgage
