#include "streamgage/topology/sources/topology.hpp"

#include <gtest/gtest.h>

namespace streamgage {
namespace {

TEST(Topology, CountsDies) {
  EXPECT_EQ(count_dies({}), 0);
  EXPECT_EQ(count_dies({{0, 0, 0, 0, 0, 0}, {1, 1, 0, 0, 0, 2}}), 3);
}

TEST(Topology, CountsCoresAndTheMostThreadsOfOne) {
  EXPECT_EQ(count_cores({}), 0);
  EXPECT_EQ(most_threads_per_core({}), 0);
  const std::vector<HardwareThread> threads{{0, 0, 0, 0, 0}, {1, 0, 1, 0, 0}, {2, 1, 0, 0, 0}};
  EXPECT_EQ(count_cores(threads), 2);
  EXPECT_EQ(most_threads_per_core(threads), 2);
}

TEST(Topology, OfThisSystemHasAPlaceForEveryCpu) {
  const auto topology = find_topology({});
  ASSERT_TRUE(topology.has_value()) << topology.error().message;
  EXPECT_EQ(topology->threads.size(), topology->online_cpus.size());
  EXPECT_FALSE(topology->numa_nodes.empty());
}

}  // namespace
}  // namespace streamgage
