#include "measure/pass_time.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

// A walk of windows of 500 us and 1,000 elements, of which one lost 4 ms.
ThreadWalk walk(int windows, int disturbed = -1) {
  ThreadWalk made;
  Instant at{};
  std::int64_t cpu = 0;
  made.marks.push_back({at, cpu, 0});
  for (int number = 0; number < windows; ++number) {
    at += std::chrono::microseconds(number == disturbed ? 4500 : 500);
    cpu += 500'000;
    made.marks.push_back({at, cpu, 1000});
  }
  made.switches = disturbed >= 0 ? 1 : 0;
  return made;
}

Timing timing(double seconds) {
  Timing made;
  made.seconds = seconds;
  return made;
}

TEST(PassTime, OfAnUndisturbedSampleIsThatOfTheWholePass) {
  const PassTime time = pass_time(timing(5.1e-3), {walk(10), walk(10)}, 1);
  EXPECT_TRUE(time.is_whole);
  EXPECT_EQ(time.seconds, 5.1e-3);
}

TEST(PassTime, OfADisturbedSampleIsByTheRateOfItsQuietTime) {
  const PassTime time = pass_time(timing(9.0e-3), {walk(10, 4), walk(10)}, 1);
  EXPECT_FALSE(time.is_whole);
  ASSERT_TRUE(time.seconds);
  EXPECT_NEAR(*time.seconds, 5e-3, 1e-9);
}

TEST(PassTime, IsUnknownWhereThereIsHardlyAnyQuietTime) {
  EXPECT_FALSE(pass_time(timing(5e-3), {walk(2, 0)}, 1).seconds);
}

TEST(PassTime, IsThatOfAShareOfTheSampleWhereItHasSeveralPasses) {
  EXPECT_NEAR(*pass_time(timing(9.0e-3), {walk(9, 4), walk(9)}, 3).seconds, 1.5e-3, 1e-9);
  EXPECT_DOUBLE_EQ(*pass_time(timing(9.0e-3), {}, 3).seconds, 3e-3);
}

}  // namespace
}  // namespace streamgage::engine
