#include "streamgage/topology/nodes/nearest_memory.hpp"

#include <gtest/gtest.h>

namespace streamgage {
namespace {

TEST(NearestMemory, IsTheOwnNodeWhereThatHasAny) {
  const std::vector<NumaNode> nodes{{0, {0}, 1}, {1, {1}, std::nullopt}, {2, {}, 1}};
  const auto nearest = nearest_memory(nodes, {{{0, 2}, 1}, {{1, 2}, 1}}, {{2, {0, 1}}});
  EXPECT_EQ(nearest, (std::map<int, int>{{0, 0}, {1, 1}}));
}

TEST(NearestMemory, IsElseByDistanceThenNextToTheCpu) {
  const std::vector<NumaNode> nodes{{0, {0}, 0}, {1, {}, 1}, {2, {}, 1}};
  EXPECT_EQ(nearest_memory(nodes, {{{0, 1}, 20}, {{0, 2}, 13}}, {}).at(0), 2);
  EXPECT_EQ(nearest_memory(nodes, {}, {{2, {0}}}).at(0), 2);
  EXPECT_EQ(nearest_memory(nodes, {}, {}).at(0), 1);
}

TEST(NearestMemory, OfAThreadThatIsNowhereIsNotKnown) {
  std::vector<HardwareThread> threads(2);
  threads[1].cpu = 7;
  set_nearest_nodes(threads, {{7, 3}});
  EXPECT_EQ(threads[0].node, std::nullopt);
  EXPECT_EQ(threads[1].node, 3);
}

}  // namespace
}  // namespace streamgage
