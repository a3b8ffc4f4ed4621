#include "world/world.hpp"

#include <array>
#include <atomic>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "world/testing/thread_transport.hpp"

namespace streamgage::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kLong = 60.0;
constexpr double kShort = 0.05;

TEST(World, TheSmallestHasOneProcess) {
  with_ranks(1, [](Transport& transport) {
    World world(transport, kLong);
    ASSERT_TRUE(world.meet("node1", "node1 boot"));
    EXPECT_EQ(world.hosts(), 1);
    EXPECT_EQ(world.order({{"do", "x"}}).value().at("do"), "x");
    EXPECT_EQ(world.answers({{"n", 3}}).value().at(0).at("n"), 3);
    EXPECT_TRUE(world.barrier());
  });
}

TEST(World, TheRootsOrderReachesAllAndTheirAnswersComeBackByRank) {
  std::array<std::atomic<int>, 4> heard{};
  with_ranks(4, [&](Transport& transport) {
    World world(transport, kLong);
    const Json order = world.is_root() ? Json{{"number", 7}} : Json{{"number", 0}};
    heard.at(static_cast<std::size_t>(world.rank())) =
        world.order(order).value().at("number").get<int>();
    const auto answers = world.answers({{"rank", world.rank()}});
    ASSERT_TRUE(answers);
    ASSERT_EQ(answers->size(), world.is_root() ? 4U : 0U);
    for (std::size_t rank = 0; rank < answers->size(); ++rank) {
      EXPECT_EQ((*answers)[rank].at("rank"), rank);
    }
  });
  for (const std::atomic<int>& number : heard) {
    EXPECT_EQ(number, 7);
  }
}

TEST(World, RanksAreGroupedByHostAndHostsOfOneNameAreDistinguished) {
  with_ranks(4, [](Transport& transport) {
    World world(transport, kLong);
    const std::array<const char*, 4> identities{"a 1", "a 2", "a 1", "b 3"};
    const std::string identity = identities.at(static_cast<std::size_t>(world.rank()));
    ASSERT_TRUE(world.meet(identity.substr(0, 1), identity));
    if (world.is_root()) {
      EXPECT_EQ(world.hosts(), 3);
      EXPECT_THAT(ranks_by_host(world.members()),
                  ElementsAre(ElementsAre(0, 2), ElementsAre(1), ElementsAre(3)));
      EXPECT_EQ(world.name(3), "rank 3 on host b");
    }
  });
}

TEST(World, ARankThatDoesNotAnswerIsNamedWithItsHost) {
  Meeting meeting(2);
  ThreadTransport transport(meeting, 0);
  World early(transport, kShort);
  const auto unknown = early.meet("node1", "x");  // the other never comes
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("rank 1 has not answered for 0 s"));

  with_ranks(2, [](Transport& ranks) {
    // The root waits long until all have met, and short for the one that has gone.
    World patient(ranks, kLong);
    World world(ranks, kShort);
    ASSERT_TRUE(patient.barrier());
    ASSERT_TRUE(patient.meet("node" + std::to_string(patient.rank()), "x"));
    if (!patient.is_root()) {
      return;
    }
    EXPECT_EQ(patient.name(1), "rank 1 on host node1");
    EXPECT_FALSE(world.answers({}));
  });
}

TEST(World, AnIdentityHoldsTheBoot) {
  EXPECT_EQ(host_identity("node1", "/nonexistent"), "node1 ");
  EXPECT_THAT(host_identity("node1"), HasSubstr("node1 "));
}

}  // namespace
}  // namespace streamgage::engine
