#include "streamgage/statistics/samples.hpp"

#include <gtest/gtest.h>

namespace streamgage {
namespace {

TEST(Samples, CountFromTheFirstThatIsWithinTwoPercentOfTheOneBefore) {
  Samples samples;
  EXPECT_FALSE(samples.add(1.5));
  EXPECT_FALSE(samples.add(1.0));
  EXPECT_FALSE(samples.add(1.03));
  EXPECT_TRUE(samples.add(1.02));
  EXPECT_TRUE(samples.add(9.0));
  EXPECT_EQ(samples.warmups(), (std::vector<double>{1.5, 1.0, 1.03}));
  EXPECT_EQ(samples.timed(), (std::vector<double>{1.02, 9.0}));
}

TEST(Samples, CountAfterFiveWarmupsWhateverTheyAre) {
  Samples samples;
  for (const double seconds : {5.0, 4.0, 3.0, 2.0, 1.5}) {
    EXPECT_FALSE(samples.add(seconds));
  }
  EXPECT_TRUE(samples.add(1.0));
}

TEST(Samples, WarmUpAgainAfterARestart) {
  Samples samples;
  EXPECT_FALSE(samples.add(1.0));
  samples.restart_warmup();
  EXPECT_FALSE(samples.add(1.0));
  EXPECT_TRUE(samples.add(1.0));
}

}  // namespace
}  // namespace streamgage
