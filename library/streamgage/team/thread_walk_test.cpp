#include "streamgage/team/thread_walk.hpp"

#include <chrono>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage {
namespace {

constexpr std::int64_t kElements = 1000;

// Windows of these microseconds from a start on, in which the thread lost so many of them.
struct MadeWindow {
  int microseconds;
  int lost = 0;
};

ThreadWalk walk_of(const std::vector<MadeWindow>& windows, int start = 0,
                   std::int64_t switches = 0) {
  ThreadWalk walk;
  Instant at = Instant{} + std::chrono::microseconds(start);
  std::int64_t cpu = 0;
  walk.marks.push_back({at, cpu, 0});
  for (const MadeWindow& window : windows) {
    at += std::chrono::microseconds(window.microseconds);
    cpu += std::int64_t{1000} * (window.microseconds - window.lost);
    walk.marks.push_back({at, cpu, kElements});
  }
  walk.switches = switches;
  return walk;
}

double rate_of(const QuietTime& quiet) { return quiet.elements / quiet.seconds; }

TEST(QuietTime, OfUndisturbedThreadsIsTheTimeInWhichAllWalk) {
  const QuietTime quiet =
      quiet_time({walk_of({{100}, {100}, {100}}), walk_of({{100}, {100}, {100}}, 15)});
  EXPECT_TRUE(quiet.is_undisturbed);
  EXPECT_EQ(quiet.windows, 6);
  EXPECT_EQ(quiet.quiet_windows, 6);
  EXPECT_NEAR(quiet.seconds, 285e-6, 1e-12);
  EXPECT_NEAR(rate_of(quiet), 2.0 * kElements / 100e-6, 1.0);
}

// While one thread is away the other one has all of the memory: that is no rate of both.
TEST(QuietTime, LeavesOutTheTimeInWhichOneThreadIsAway) {
  const QuietTime quiet =
      quiet_time({walk_of({{100}, {4100, 4000}, {100}, {100}}, 0, 1),
                  walk_of({{100}, {50}, {50}, {50}, {4000 - 50}, {100}, {100}})});
  EXPECT_FALSE(quiet.is_undisturbed);
  EXPECT_NEAR(quiet.seconds, 300e-6, 1e-12);
  EXPECT_NEAR(rate_of(quiet), 2.0 * kElements / 100e-6, 1.0);
}

TEST(QuietTime, IsKeptForEachWindowOfTheFirstThread) {
  const QuietTime quiet = quiet_time({walk_of({{100}, {200, 100}, {100}}), walk_of({{400}})});
  ASSERT_EQ(quiet.stretches.size(), 3U);
  EXPECT_NEAR(quiet.stretches[0].seconds, 100e-6, 1e-12);
  EXPECT_NEAR(quiet.stretches[0].elements, kElements + kElements / 4.0, 1e-6);
  EXPECT_EQ(quiet.stretches[1].seconds, 0.0);
  EXPECT_NEAR(quiet.stretches[2].seconds, 100e-6, 1e-12);
}

// A hypervisor that takes the CPU need not tell the kernel.
TEST(QuietTime, LeavesOutWindowsThatTookFarTooLong) {
  const QuietTime quiet = quiet_time({walk_of({{100}, {100}, {100}, {3000}, {100}})});
  EXPECT_FALSE(quiet.is_undisturbed);
  EXPECT_EQ(quiet.quiet_windows, 4);
  EXPECT_NEAR(rate_of(quiet), kElements / 100e-6, 1.0);
}

TEST(QuietTime, AllowsATimerItsFewMicroseconds) {
  EXPECT_TRUE(quiet_time({walk_of({{100, 8}, {100}})}).is_undisturbed);
  EXPECT_FALSE(quiet_time({walk_of({{100, 12}, {100}})}).is_undisturbed);
}

// Some kernels count CPU time in ticks that are longer than a window.
TEST(QuietTime, GoesByTheNumberOfSwitchesWhereTheCpuClockStandsStill) {
  ThreadWalk coarse = walk_of({{100}, {100}, {100}});
  for (WalkMark& mark : coarse.marks) {
    mark.cpu_nanoseconds = 10'000'000;
  }
  EXPECT_TRUE(quiet_time({coarse}).is_undisturbed);
  coarse.switches = 1;
  const QuietTime disturbed = quiet_time({coarse});
  EXPECT_FALSE(disturbed.is_undisturbed);
  EXPECT_EQ(disturbed.seconds, 0.0);
}

// It had no CPU when the others left the barrier.
TEST(QuietTime, IsNotUndisturbedWhereAThreadStartsLate) {
  const QuietTime quiet = quiet_time({walk_of({{100}, {100}}), walk_of({{100}, {100}}, 100)});
  EXPECT_FALSE(quiet.is_undisturbed);
  EXPECT_NEAR(quiet.seconds, 100e-6, 1e-12);
}

TEST(QuietTime, OfThreadsThatWalkOneAfterTheOtherIsNone) {
  const QuietTime quiet = quiet_time({walk_of({{100}}), walk_of({{100}}, 200)});
  EXPECT_EQ(quiet.seconds, 0.0);
  EXPECT_EQ(quiet.elements, 0.0);
}

TEST(QuietTime, LeavesOutThreadsWithoutAWindow) {
  EXPECT_EQ(quiet_time({}).windows, 0);
  const QuietTime quiet = quiet_time({ThreadWalk{}, walk_of({{100}})});
  EXPECT_EQ(quiet.windows, 1);
  EXPECT_NEAR(rate_of(quiet), kElements / 100e-6, 1.0);
}

TEST(ThreadWalk, NotesEveryWindowWithTheCpuTimeThatTheThreadHad) {
  ThreadWalk walk;
  walk.reserve(2);
  walk.start();
  volatile double sum = 0.0;
  for (int number = 0; number < 2; ++number) {
    for (int step = 0; step < 100'000; ++step) {
      sum = sum + 1.0;
    }
    walk.end_window(kElements);
  }
  walk.finish();
  ASSERT_EQ(walk.marks.size(), 3U);
  EXPECT_GE(walk.switches, 0);
  EXPECT_LT(walk.marks[0].at, walk.marks[2].at);
  EXPECT_LT(walk.marks[0].cpu_nanoseconds, walk.marks[2].cpu_nanoseconds);
  EXPECT_EQ(walk.marks[1].elements, kElements);
}

}  // namespace
}  // namespace streamgage
