#include "streamgage/statistics/summary.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace streamgage {
namespace {

using Ranks = std::pair<std::size_t, std::size_t>;

// Ranks of the 95 % interval as published tables of the sign test give them.
TEST(MedianInterval, RanksAgreeWithTheTables) {
  EXPECT_EQ(median_interval_ranks(6, 0.95), (Ranks{1, 6}));
  EXPECT_EQ(median_interval_ranks(10, 0.95), (Ranks{2, 9}));
  EXPECT_EQ(median_interval_ranks(20, 0.95), (Ranks{6, 15}));
  EXPECT_EQ(median_interval_ranks(50, 0.95), (Ranks{18, 33}));
  EXPECT_EQ(median_interval_ranks(20, 0.99), (Ranks{4, 17}));
}

TEST(MedianInterval, TooFewSamplesHaveNone) {
  EXPECT_FALSE(median_interval_ranks(0, 0.95));
  EXPECT_FALSE(median_interval_ranks(5, 0.95));
  EXPECT_FALSE(median_interval_ranks(7, 0.99));
  EXPECT_EQ(median_interval_ranks(8, 0.99), (Ranks{1, 8}));
}

TEST(Median, IsTheMiddleOneOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median({4.0, 1.0, 2.0, 3.0}), 2.5);
  EXPECT_TRUE(std::isnan(median({})));
}

// As R's quantile(c(1, 2, 3, 4), c(0, .25, .5, .9, 1)) gives them.
TEST(Quantiles, AreLinearBetweenNeighbours) {
  const std::vector<double> values{1.0, 2.0, 3.0, 4.0};
  EXPECT_DOUBLE_EQ(quantile_of_sorted(values, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(values, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(values, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(values, 0.9), 3.7);
  EXPECT_DOUBLE_EQ(quantile_of_sorted(values, 1.0), 4.0);
  EXPECT_TRUE(std::isnan(quantile_of_sorted({}, 0.5)));
}

TEST(Summaries, AreNotMovedByOneWildSample) {
  const Summary calm = summarize({1.0, 1.1, 0.9, 1.0, 1.1, 0.9, 1.0});
  const Summary wild = summarize({1.0, 1.1, 0.9, 1.0, 90.0, 0.9, 1.0});
  EXPECT_EQ(calm.median, 1.0);
  EXPECT_EQ(wild.median, 1.0);
  EXPECT_NEAR(wild.deviation, 0.1, 1e-12);
  EXPECT_EQ(wild.maximum, 90.0);
  ASSERT_TRUE(calm.interval);
  EXPECT_EQ(calm.interval->low, 0.9);
  EXPECT_EQ(calm.interval->high, 1.1);
}

TEST(Summaries, OfFewSamplesHaveNoInterval) {
  EXPECT_FALSE(summarize({1.0, 2.0}).interval);
  const Summary none = summarize({});
  EXPECT_EQ(none.count, 0U);
  EXPECT_TRUE(std::isnan(none.median));
  EXPECT_TRUE(std::isnan(none.minimum));
}

}  // namespace
}  // namespace streamgage
