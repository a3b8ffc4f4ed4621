#include "streamgage/statistics/samples.hpp"

#include <gtest/gtest.h>

namespace streamgage {
namespace {

TEST(Samples, CountFromTheFirstThatIsWithinTwoPercentOfTheOneBefore) {
  Samples samples;
  EXPECT_FALSE(samples.add(1.5e-3));
  EXPECT_FALSE(samples.add(1e-3));
  EXPECT_FALSE(samples.add(1.03e-3));
  EXPECT_TRUE(samples.add(1.02e-3));
  EXPECT_TRUE(samples.add(9e-3));
  EXPECT_EQ(samples.warmups(), (std::vector<double>{1.5e-3, 1e-3, 1.03e-3}));
  EXPECT_EQ(samples.timed(), (std::vector<double>{1.02e-3, 9e-3}));
}

TEST(Samples, CountAfterFiveWarmupsWhateverTheyAre) {
  Samples samples;
  for (const double seconds : {5e-3, 4e-3, 3e-3, 2e-3, 1.5e-3}) {
    EXPECT_FALSE(samples.add(seconds));
  }
  EXPECT_TRUE(samples.add(1e-3));
}

TEST(Samples, CountAfterOneWarmupThatIsLong) {
  Samples samples;
  EXPECT_FALSE(samples.add(0.1));
  EXPECT_TRUE(samples.add(0.08));
}

TEST(Samples, WarmUpAgainAfterARestart) {
  Samples samples;
  EXPECT_FALSE(samples.add(1e-3));
  samples.restart_warmup();
  EXPECT_FALSE(samples.add(1e-3));
  EXPECT_TRUE(samples.add(1e-3));
}

}  // namespace
}  // namespace streamgage
