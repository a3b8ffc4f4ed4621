#include "watch/pace.hpp"

#include <cmath>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr std::chrono::steady_clock::time_point kStart{100s};

TEST(NextDue, IsTheNextOfEvenlySpacedTimes) {
  EXPECT_EQ(next_due(kStart, 1s, kStart), kStart + 1s);
  EXPECT_EQ(next_due(kStart, 1s, kStart + 1001ms), kStart + 2s);
}

TEST(NextDue, DoesNotDriftWithLateReadings) {
  auto now = kStart;
  for (int i = 0; i < 1000; ++i) {
    now = next_due(kStart, 1s, now) + 400ms;
  }
  EXPECT_EQ(now, kStart + 1000s + 400ms);
}

TEST(NextDue, LeavesOutTheTimesThatWereMissed) {
  EXPECT_EQ(next_due(kStart, 1s, kStart + 5200ms), kStart + 6s);
}

TEST(Interval, IsWithinItsBounds) {
  EXPECT_EQ(interval_of(0.01).value(), 10ms);
  EXPECT_EQ(interval_of(3600).value(), 3600s);
  for (const double wrong : {0.0, -1.0, 0.0099, 3600.5, HUGE_VAL, std::nan("")}) {
    const auto interval = interval_of(wrong);
    ASSERT_FALSE(interval) << wrong;
    EXPECT_THAT(interval.error().message, HasSubstr("is not between 0.01 and 3600 s"));
    EXPECT_EQ(interval.error().status, ExitStatus::kUsage);
  }
}

TEST(EvenPace, IsNotWokenByTheSignalsThatItKeepsForItsWaiting) {
  {
    const EvenPace pace(10ms);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&blocked, SIGTERM), 1);
    EXPECT_EQ(sigismember(&blocked, SIGINT), 1);
  }
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 0);
}

TEST(EvenPace, WaitsForItsTime) {
  EvenPace pace(10ms);
  EXPECT_EQ(pace.await(), Beat::kNext);
  EXPECT_GE(pace.elapsed().value(), 0.01);
}

TEST(RecordedPace, HasAsManyReadingsAsTheRecording) {
  RecordedPace pace(3);
  EXPECT_EQ(pace.await(), Beat::kNext);
  EXPECT_EQ(pace.await(), Beat::kLast);
  EXPECT_EQ(pace.await(), Beat::kOver);
  EXPECT_EQ(pace.elapsed(), std::nullopt);
}

TEST(RecordedPace, OfOneReadingOrNoneHasNoInterval) {
  EXPECT_EQ(RecordedPace(1).await(), Beat::kOver);
  EXPECT_EQ(RecordedPace(0).await(), Beat::kOver);
}

}  // namespace
}  // namespace streamgage::engine
