#include "node/rate_words.hpp"

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(RateWords, HaveAsManyDigitsAsAFigureIsWorth) {
  EXPECT_EQ(format_rate(9.99), "9.99");
  EXPECT_EQ(format_rate(9.995), "10.0");
  EXPECT_EQ(format_rate(999.94), "999.9");
  EXPECT_EQ(format_rate(999.95), "1000");
  EXPECT_EQ(format_gbps(45.84), "45.8 GB/s");
}

TEST(RateWords, BelowOneGigabyteAreMegabytes) {
  EXPECT_EQ(format_rate(0.9995), "1.00");
  EXPECT_EQ(format_gbps(0.0923), "92.3 MB/s");
  EXPECT_EQ(format_gbps(0.000999951), "1.00 MB/s");
  EXPECT_EQ(format_gbps(0.0), "0.00 GB/s");
}

TEST(RateWords, SharesAndRatiosHaveTwoDigits) {
  EXPECT_EQ(format_share(0.0234), "2.3 %");
  EXPECT_EQ(format_share(0.02), "2 %");
  EXPECT_EQ(format_share(0.0995), "10 %");
  EXPECT_EQ(format_share(0.314), "31 %");
  EXPECT_EQ(format_ratio(4.0), "4.0x");
  EXPECT_EQ(format_ratio(0.995), "1.0x");
  EXPECT_EQ(format_ratio(0.0312), "0.031x");
}

}  // namespace
}  // namespace streamgage::engine
