#include "measure/load/load_size.hpp"

#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

// Two packages of four CPUs, each with an L3 of 60 MiB and a private L2 a CPU.
Machine two_packages() {
  Machine machine;
  machine.caches = {{2, "unified", kMiB, 64, {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}},
                    {3, "unified", 60 * kMiB, 64, {{0, 1, 2, 3}, {4, 5, 6, 7}}}};
  return machine;
}

TEST(LoadSize, ThreadsOfACacheShareFourTimesOfIt) {
  EXPECT_EQ(bytes_of_each_load(two_packages(), {1}), 240 * kMiB);
  EXPECT_EQ(bytes_of_each_load(two_packages(), {0, 1, 2}), 80 * kMiB);
  EXPECT_EQ(bytes_of_each_load(two_packages(), {0, 1, 2, 3, 4, 5, 6, 7}), 60 * kMiB);
}

TEST(LoadSize, AThreadThatHasACacheForItselfDecides) {
  EXPECT_EQ(bytes_of_each_load(two_packages(), {1, 2, 3, 4}), 240 * kMiB);
}

TEST(LoadSize, SmallCachesLeaveTheLeast) {
  Machine machine = two_packages();
  machine.caches.pop_back();
  EXPECT_EQ(bytes_of_each_load(machine, {0, 1}), 16 * kMiB);
}

TEST(LoadSize, UnknownCachesMayBeLarge) {
  EXPECT_EQ(bytes_of_each_load(Machine{}, {0}), 256 * kMiB);
  EXPECT_EQ(bytes_of_each_load(Machine{}, {0, 1}), 128 * kMiB);
}

}  // namespace
}  // namespace streamgage::engine
