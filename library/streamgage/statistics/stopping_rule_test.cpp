#include "streamgage/statistics/stopping_rule.hpp"

#include <random>

#include <gtest/gtest.h>

namespace streamgage {
namespace {

TEST(Convergence, SteadySamplesConvergeAtTheFirstLook) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(1.0, 0.003);
  std::vector<double> seconds{0.99};
  while (seconds.size() < 20) {
    seconds.push_back(std::max(0.99, noise(random)));
  }
  EXPECT_TRUE(has_converged(seconds));
}

TEST(Convergence, AWideSpreadDoesNotConverge) {
  std::vector<double> seconds;
  seconds.reserve(40);
  for (int i = 0; i < 40; ++i) {
    seconds.push_back(i % 2 == 0 ? 1.0 : 1.1);
  }
  EXPECT_FALSE(has_converged(seconds));
}

TEST(Convergence, ABestThatStillImprovesDoesNotConverge) {
  std::vector<double> seconds(30, 1.0);
  seconds.back() = 0.995;
  EXPECT_FALSE(has_converged(seconds));
  seconds.back() = 0.998;
  EXPECT_TRUE(has_converged(seconds));
}

TEST(Stopping, LooksEveryTenSamplesFromTheTwentieth) {
  const Sampling sampling;
  std::vector<std::size_t> looks;
  for (std::size_t n = 1; n <= 50; ++n) {
    (void)stop_after_block(sampling, {n, 0.0, 0.0}, [&] {
      looks.push_back(n);
      return false;
    });
  }
  EXPECT_EQ(looks, (std::vector<std::size_t>{20, 30, 40, 50}));
}

TEST(Stopping, NamesItsReason) {
  const Sampling sampling;
  const auto never = [] { return false; };
  const auto always = [] { return true; };
  EXPECT_EQ(stop_after_block(sampling, {20, 1.0, 0.1}, always), StoppedBy::kConverged);
  EXPECT_EQ(stop_after_block(sampling, {300, 1.0, 0.1}, never), StoppedBy::kMaxSamples);
  EXPECT_EQ(stop_after_block(sampling, {12, 32.0, 1.5}, never), StoppedBy::kBudget);
  EXPECT_EQ(stop_after_block(sampling, {0, 90.0, 90.0}, never), std::nullopt);
  EXPECT_EQ(stop_after_block(sampling, {12, 30.0, 1.5}, always), std::nullopt);
}

}  // namespace
}  // namespace streamgage
