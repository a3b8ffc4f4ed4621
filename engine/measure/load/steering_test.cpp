#include "measure/load/steering.hpp"

#include <cmath>
#include <functional>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using testing::ElementsAre;
using Memory = std::function<double(double effort)>;

constexpr int kProbes = 12;

// Memories as they are made: one that threads cannot fill, one that flattens, one that has a knee,
// and one that gives nothing for the first part of a burst.
const std::vector<Memory> kMemories = {
    [](double effort) { return 10.0 * effort; },
    [](double effort) { return 100.0 * (1.0 - std::exp(-effort / 5.0)); },
    [](double effort) { return std::min(12.0 * effort, 90.0 + 0.1 * effort); },
    [](double effort) { return 10.0 * std::pow(effort, 1.3); },
};

struct End {
  double effort = 0.0;
  double rate = 0.0;
  int probes = 0;
};

End steer(
    const Memory& memory, double threads, double share,
    const std::function<double()>& noise = [] { return 1.0; }) {
  const double most = memory(threads);
  Steering steering(share * most, threads, most, share * threads);
  int probes = 0;
  do {
    steering.saw(memory(steering.effort()) * noise());
  } while (++probes < kProbes && !steering.settled());
  return {steering.effort(), memory(steering.effort()), probes};
}

TEST(Steering, ReachesEveryShareOfEveryMemory) {
  for (std::size_t number = 0; number < kMemories.size(); ++number) {
    const Memory& memory = kMemories[number];
    for (const double threads : {1.0, 7.0, 63.0}) {
      double last = 0.0;
      for (int percent = 2; percent < 100; percent += 2) {
        const End end = steer(memory, threads, percent / 100.0);
        EXPECT_NEAR(end.rate / memory(threads), percent / 100.0, 0.0101 * percent / 100.0)
            << "memory " << number << ", " << threads << " threads";
        EXPECT_GT(end.rate, last);
        last = end.rate;
      }
    }
  }
}

TEST(Steering, NoiseLeavesItNear) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(1.0, 0.01);
  for (const Memory& memory : kMemories) {
    for (const double share : {0.1, 0.5, 0.9}) {
      const End end = steer(memory, 31.0, share, [&] { return noise(random); });
      EXPECT_NEAR(end.rate / memory(31.0), share, 0.05 * share);
    }
  }
}

TEST(Steering, WhatCannotBeReachedEndsWithAllThreads) {
  Steering steering(80.0, 4.0, 100.0, 3.2);  // the memory gives half of what it gave before
  for (int probe = 0; probe < kProbes && !steering.settled(); ++probe) {
    steering.saw(12.5 * steering.effort());
  }
  EXPECT_TRUE(steering.settled());
  EXPECT_EQ(steering.effort(), 4.0);
}

TEST(Steering, FollowsAMemoryThatChanges) {
  Steering steering(50.0, 10.0, 100.0, 5.0);
  double strength = 7.0;
  for (int probe = 0; probe < 40; ++probe) {
    if (probe == 20) {
      strength = 12.0;  // a neighbour has left
    }
    steering.saw(strength * steering.effort());
  }
  EXPECT_NEAR(12.0 * steering.effort(), 50.0, 0.5);
}

TEST(Duty, AnEffortIsFullThreadsAndAPartOfOne) {
  EXPECT_EQ(duty_of(2.25, 0), 1.0);
  EXPECT_EQ(duty_of(2.25, 1), 1.0);
  EXPECT_EQ(duty_of(2.25, 2), 0.25);
  EXPECT_EQ(duty_of(2.25, 3), 0.0);
}

TEST(Places, NodesTakeTurns) {
  EXPECT_THAT(places_over_nodes({0, 0, 0}), ElementsAre(0, 1, 2));
  EXPECT_THAT(places_over_nodes({0, 0, 1, 1}), ElementsAre(0, 2, 1, 3));
  // The first thread of node 0 is the one that walks: three against four.
  EXPECT_THAT(places_over_nodes({0, 0, 0, 1, 1, 1, 1}), ElementsAre(1, 3, 5, 0, 2, 4, 6));
}

}  // namespace
}  // namespace streamgage::engine
