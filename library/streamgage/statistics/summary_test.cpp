#include "streamgage/statistics/summary.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace streamgage {
namespace {

struct KnownRanks {
  std::size_t n;
  std::size_t of_95_percent;
  std::size_t of_99_percent;
};

constexpr KnownRanks kKnownRanks[] = {
#include "streamgage/statistics/testing/median_interval_ranks.inc"
};

TEST(MedianInterval, RanksAreThoseOfTheSignTest) {
  for (const KnownRanks& known : kKnownRanks) {
    for (const auto& [confidence, low] :
         {std::pair(0.95, known.of_95_percent), std::pair(0.99, known.of_99_percent)}) {
      const auto ranks = median_interval_ranks(known.n, confidence);
      EXPECT_EQ(ranks ? ranks->first : 0, low) << known.n << " samples, " << confidence;
      EXPECT_EQ(ranks ? ranks->second : known.n + 1, known.n + 1 - low);
    }
  }
}

TEST(MedianInterval, NoSamplesHaveNone) { EXPECT_FALSE(median_interval_ranks(0, 0.95)); }

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
