#include "measure/tuning/successive_halving.hpp"

#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(SuccessiveHalving, FindsTheQuickestThroughNoiseAndDrift) {
  std::mt19937_64 random(7);
  int found = 0;
  for (int trial = 0; trial < 50; ++trial) {
    std::mt19937_64 noise(trial);
    std::normal_distribution<double> spread(1.0, 0.03);
    int runs = 0;
    const auto outcome = race(40, 4.0, random, [&](std::size_t candidate) -> std::optional<double> {
      // The machine becomes slower by half every 1000 runs.
      const double drift = 1.0 + 0.5 * ++runs / 1000.0;
      const double truth =
          candidate == 17 ? 0.9 : 1.0 + 0.005 * static_cast<double>(candidate % 20);
      return 0.002 * truth * drift * spread(noise);
    });
    found += outcome && outcome->winner() == 17 ? 1 : 0;
  }
  EXPECT_GE(found, 49);
}

TEST(SuccessiveHalving, GivesEveryStageItsShareAndTheBestTheMost) {
  std::mt19937_64 random(1);
  std::map<std::size_t, int> runs;
  double spent = 0.0;
  const auto outcome = race(16, 2.0, random, [&](std::size_t candidate) -> std::optional<double> {
    ++runs[candidate];
    const double seconds = 0.01 * (1.0 + 0.01 * static_cast<double>(candidate));
    spent += seconds;
    return seconds;
  });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->winner(), 0U);
  EXPECT_EQ(runs.size(), 16U);
  EXPECT_GT(runs[0], 4 * runs[15]);
  EXPECT_LE(spent, 2.0);
  EXPECT_GT(spent, 1.0);
  EXPECT_EQ(outcome->samples, [&] {
    std::size_t all = 0;
    for (const auto& [candidate, count] : runs) {
      all += static_cast<std::size_t>(count);
    }
    return all;
  }());
}

TEST(SuccessiveHalving, RunsOneRoundAStageWhereTheBudgetIsTooSmall) {
  std::mt19937_64 random(1);
  int runs = 0;
  const auto outcome = race(8, 1e-9, random, [&](std::size_t) -> std::optional<double> {
    ++runs;
    return 1.0;
  });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(runs, 8 + 4 + 2);
}

TEST(SuccessiveHalving, EndsWhenItIsAskedAndRunsNothingForASingleCandidate) {
  std::mt19937_64 random(1);
  int runs = 0;
  const auto stopped = race(8, 1.0, random, [&](std::size_t) -> std::optional<double> {
    return ++runs < 5 ? std::optional(0.001) : std::nullopt;
  });
  EXPECT_FALSE(stopped);
  EXPECT_EQ(runs, 5);
  const auto alone = race(1, 1.0, random, [&](std::size_t) -> std::optional<double> {
    ++runs;
    return 1.0;
  });
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->winner(), 0U);
  EXPECT_EQ(runs, 5);
}

}  // namespace
}  // namespace streamgage::engine
