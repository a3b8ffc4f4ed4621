#include "streamgage/statistics/stopping_rule.hpp"

#include <cmath>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "streamgage/statistics/summary.hpp"

namespace streamgage {
namespace {

TEST(Convergence, SteadySamplesConvergeAtTheSecondLook) {
  std::mt19937 random(1);
  std::normal_distribution<double> noise(1.0, 0.003);
  std::vector<double> seconds{0.99};
  while (seconds.size() < 30) {
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

// Samples of allocations whose speeds differ by a standard deviation of `apart`, each of them
// like the one before.
std::vector<double> drifting(std::mt19937& random, double apart, double within, double likeness) {
  std::normal_distribution<double> normal;
  double level = normal(random);
  std::vector<double> seconds;
  while (seconds.size() < 300) {
    for (int sample = 0; sample < 3; ++sample) {
      seconds.push_back(1.0 + apart * level + within * normal(random));
    }
    level = likeness * level + std::sqrt(1.0 - likeness * likeness) * normal(random);
  }
  return seconds;
}

// Returns the share of 400 series that have converged at a look while their median is off by more
// than 1 %, and of those that have converged.
std::pair<double, double> wrong_and_converged(double apart, double within, double likeness) {
  std::mt19937 random(7);
  double wrong = 0.0;
  double converged = 0.0;
  for (int series = 0; series < 400; ++series) {
    const auto seconds = drifting(random, apart, within, likeness);
    for (std::ptrdiff_t n = 20; n <= 300; n += 10) {
      const std::vector<double> so_far(seconds.begin(), seconds.begin() + n);
      if (has_converged(so_far)) {
        converged += 1.0 / 400;
        wrong += std::abs(median(so_far) - 1.0) > 0.01 ? 1.0 / 400 : 0.0;
        break;
      }
    }
  }
  return {wrong, converged};
}

TEST(Convergence, OfIndependentSamplesIsReached) {
  EXPECT_GT(wrong_and_converged(0.0, 0.005, 0.0).second, 0.99);
  EXPECT_GT(wrong_and_converged(0.01, 0.005, 0.0).second, 0.9);
  EXPECT_LT(wrong_and_converged(0.01, 0.005, 0.0).first, 0.01);
}

TEST(Convergence, IsNotSaidOfAMachineThatDrifts) {
  EXPECT_LT(wrong_and_converged(0.01, 0.005, 0.5).first, 0.03);
  EXPECT_LT(wrong_and_converged(0.01, 0.005, 0.8).first, 0.05);
  EXPECT_LT(wrong_and_converged(0.02, 0.01, 0.9).first, 0.08);
  EXPECT_LT(wrong_and_converged(0.03, 0.005, 0.9).first, 0.05);
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
