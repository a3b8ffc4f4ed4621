#include "measure/tuning/pairs.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace streamgage::engine {
namespace {

std::optional<Pairs> pairs_of(double of_default, double of_fastest) {
  std::mt19937_64 random(1);
  return time_pairs(0.0, random, [=](Side side) {
    return std::optional(side == Side::kDefault ? of_default : of_fastest);
  });
}

TEST(Pairs, AGainOfEveryPairIsConfirmed) {
  const auto pairs = pairs_of(1.1, 1.0);
  ASSERT_TRUE(pairs);
  EXPECT_EQ(pairs->count, 11U);  // the fewest, where there is no time
  EXPECT_DOUBLE_EQ(pairs->ratio.value(), 1.1);
  EXPECT_TRUE(pairs->confirm());
}

TEST(Pairs, AGainOfLessThanHalfAPercentIsNot) {
  EXPECT_FALSE(pairs_of(1.004, 1.0)->confirm());
  EXPECT_FALSE(pairs_of(1.0, 1.1)->confirm());
}

TEST(Pairs, AGainOfSomePairsOnlyIsNot) {
  std::mt19937_64 random(1);
  int runs = 0;
  const auto pairs = time_pairs(0.0, random, [&](Side side) {
    const bool lucky = runs++ / 2 % 2 == 0;  // every second pair
    return std::optional(side == Side::kFastest && lucky ? 0.5 : 1.0);
  });
  EXPECT_GT(pairs->high.value(), 1.5);
  EXPECT_FALSE(pairs->confirm());
}

TEST(Pairs, NothingIsReturnedWhereARunIsStopped) {
  std::mt19937_64 random(1);
  int runs = 0;
  EXPECT_FALSE(time_pairs(0.0, random,
                          [&](Side) { return ++runs < 7 ? std::optional(1.0) : std::nullopt; }));
  EXPECT_LE(runs, 8);
}

TEST(Pairs, MoreThan41WouldTellNoMore) {
  std::mt19937_64 random(1);
  int runs = 0;
  const auto pairs = time_pairs(1e9, random, [&](Side) {
    ++runs;
    return std::optional(1.0);
  });
  EXPECT_EQ(pairs->count, 41U);
  EXPECT_EQ(runs, 82);
}

}  // namespace
}  // namespace streamgage::engine
