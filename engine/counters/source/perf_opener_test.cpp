#include "counters/source/perf_opener.hpp"

#include <iostream>

#include <gtest/gtest.h>

#include "counters/pmu/pmu.hpp"
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
