#include "ranks/messages.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using testing::ElementsAre;

TEST(Messages, AnOrderArrivesAsItWasSent) {
  const Json packed = pack(Order(orders::Place{{{0, 2}, {1, 2}}, true}));
  const Order order = unpack<Order>(packed);
  const auto& place = std::get<orders::Place>(order);
  ASSERT_EQ(place.turns.size(), 2U);
  EXPECT_EQ(place.turns[1].turn, 1);
  EXPECT_EQ(place.turns[1].of, 2);
  EXPECT_TRUE(place.oversubscribe);
  EXPECT_TRUE(std::holds_alternative<orders::End>(unpack<Order>(pack(Order(orders::End{})))));
}

TEST(Messages, ATimingKeepsItsInstants) {
  const Timing sent{0.5,
                    Instant(std::chrono::nanoseconds(7)),
                    Instant(std::chrono::nanoseconds(9)),
                    1.0,
                    {0, 1},
                    {1, 0},
                    2,
                    3,
                    1.5};
  const auto got = unpack<Timing>(pack(sent));
  EXPECT_EQ(got.first, sent.first);
  EXPECT_EQ(got.last, sent.last);
  EXPECT_THAT(got.cpus_end, ElementsAre(1, 0));
  EXPECT_EQ(got.switches, 3);
  EXPECT_EQ(got.paused_seconds, 1.5);
}

TEST(Messages, WhatIsNotThereStaysSo) {
  Check check;
  check.expected = std::numeric_limits<double>::quiet_NaN();
  const auto got = unpack<Check>(pack(check));
  EXPECT_FALSE(got.first_wrong);
  EXPECT_FALSE(got.failure);
  EXPECT_TRUE(std::isnan(got.expected));
  check.first_wrong = 0;
  EXPECT_EQ(unpack<Check>(pack(check)).first_wrong, 0);
}

TEST(Messages, AnErrorArrivesInPlaceOfTheAnswer) {
  const Result<PlacedThreads> refused = usage_error("no CPU is left");
  const auto got = unpack<Result<PlacedThreads>>(pack(refused));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().message, "no CPU is left");
  EXPECT_EQ(got.error().status, ExitStatus::kUsage);
}

}  // namespace
}  // namespace streamgage::engine
