#include "streamgage/clock/clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage {
namespace {

TEST(Clock, ItsGranularityIsADifferenceThatWasSeen) {
  const ClockFacts clock = examine_clock();
  EXPECT_GT(clock.granularity_seconds, 0.0);
  EXPECT_LT(clock.granularity_seconds, 0.1);
  EXPECT_GT(clock.overhead_seconds, 0.0);
  EXPECT_THAT(clock.source, testing::StartsWith("CLOCK_MONOTONIC"));
}

TEST(Clock, ItNeverRunsBackwards) {
  Instant before = now();
  for (int i = 0; i < 100'000; ++i) {
    const Instant after = now();
    ASSERT_LE(before, after);
    before = after;
  }
}

}  // namespace
}  // namespace streamgage
