#include "streamgage/statistics/sampler.hpp"

#include <gtest/gtest.h>

namespace streamgage {
namespace {

TEST(Samplers, StopAtALookThatFindsThemSettled) {
  Sampler sampler;
  std::optional<StoppedBy> stopped;
  while (!stopped) {
    stopped = sampler.add(1e-3);
  }
  EXPECT_EQ(stopped, StoppedBy::kConverged);
  EXPECT_EQ(sampler.warmups().size(), 1U);
  EXPECT_EQ(sampler.samples().size(), 30U);  // the second: 24 samples are the fewest
}

TEST(Samplers, StopWhereTheRunsDoNotSettle) {
  Sampling sampling;
  sampling.max_samples = 40;
  Sampler sampler(sampling);
  std::optional<StoppedBy> stopped;
  for (int run = 0; !stopped; ++run) {
    stopped = sampler.add(run % 2 == 0 ? 1.0 : 2.0);
  }
  EXPECT_EQ(stopped, StoppedBy::kMaxSamples);
  EXPECT_EQ(sampler.samples().size(), 40U);
}

TEST(Samplers, StopWhenTheTimeIsUsedUp) {
  Sampling sampling;
  sampling.budget_seconds = 0.0;
  Sampler sampler(sampling);
  EXPECT_FALSE(sampler.add(1.0));  // a warm-up is no figure
  EXPECT_EQ(sampler.add(1.0), StoppedBy::kBudget);
}

}  // namespace
}  // namespace streamgage
