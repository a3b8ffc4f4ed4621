#include "streamgage/counters/source/traffic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/counters/testing/made_counters.hpp"

namespace streamgage {
namespace {

using testing::HasSubstr;

Tally after_a_second(std::uint64_t count, double share = 1.0) {
  return {count, kSecondInNanoseconds,
          static_cast<std::uint64_t>(share * static_cast<double>(kSecondInNanoseconds))};
}

// The traffic of one counter from nothing to that.
Traffic traffic_of(const Counter& one, const Tally& before, const Tally& after) {
  return traffic_between(std::vector{one}, Reading{before}, Reading{after});
}

TEST(TrafficBetween, IsBytesByDirection) {
  const std::vector counters{counter(Direction::kRead), counter(Direction::kRead),
                             counter(Direction::kWrite)};
  const auto traffic =
      traffic_between(counters, Reading{Tally{}, Tally{}, Tally{}},
                      Reading{after_a_second(100), after_a_second(50), after_a_second(50)});
  ASSERT_EQ(traffic.domains.size(), 1U);
  EXPECT_EQ(traffic.domains[0].domain, kFirst);
  const Volume& volume = traffic.domains[0].volume.value();
  EXPECT_DOUBLE_EQ(volume.read.value(), 9600.0);
  EXPECT_DOUBLE_EQ(volume.written.value(), 3200.0);
  EXPECT_DOUBLE_EQ(volume.total, 12800.0);
  EXPECT_DOUBLE_EQ(traffic.seconds, 1.0);
  EXPECT_DOUBLE_EQ(traffic.running_share, 1.0);
}

TEST(TrafficBetween, OfCountsOfBothIsATotalAlone) {
  const auto traffic = traffic_of(counter(Direction::kBoth), {}, after_a_second(100));
  const Volume& volume = traffic.domains[0].volume.value();
  EXPECT_EQ(volume.read, std::nullopt);
  EXPECT_EQ(volume.written, std::nullopt);
  EXPECT_DOUBLE_EQ(volume.total, 6400.0);
}

TEST(TrafficBetween, IsScaledWhereCountersTookTurns) {
  // Half of the time: as much again went by unseen.
  const auto traffic = traffic_of(counter(Direction::kRead), {}, after_a_second(100, 0.5));
  EXPECT_DOUBLE_EQ(traffic.domains[0].volume->total, 12800.0);
  EXPECT_DOUBLE_EQ(traffic.domains[0].running_share, 0.5);
  EXPECT_DOUBLE_EQ(traffic.running_share, 0.5);
}

TEST(TrafficBetween, IsScaledByTheShareOfThatIntervalAlone) {
  const Tally before{1000, 10 * kSecondInNanoseconds, kSecondInNanoseconds};
  const Tally after{1100, 11 * kSecondInNanoseconds, 2 * kSecondInNanoseconds};
  const auto traffic = traffic_of(counter(Direction::kRead), before, after);
  EXPECT_DOUBLE_EQ(traffic.domains[0].volume->total, 6400.0);
  EXPECT_DOUBLE_EQ(traffic.running_share, 1.0);
}

TEST(TrafficBetween, OfACounterThatDidNotRunIsNotZero) {
  const auto traffic = traffic_of(counter(Direction::kRead), {}, after_a_second(0, 0.0));
  ASSERT_FALSE(traffic.domains[0].volume);
  EXPECT_THAT(traffic.domains[0].volume.error().message, HasSubstr("it did not run"));
  const auto no_time = traffic_of(counter(Direction::kRead), {}, {});
  EXPECT_FALSE(no_time.domains[0].volume);
}

TEST(TrafficBetween, HasA32BitCounterWrapAroundOnce) {
  const auto one = counter(Direction::kRead, kFirst, 32);
  const auto traffic = traffic_of(one, {0xffff'fff0, 0, 0}, after_a_second(0x10));
  EXPECT_DOUBLE_EQ(traffic.domains[0].volume->total, 0x20 * 64.0);
}

TEST(TrafficBetween, OfA32BitCounterThatTheKernelExtendsIsNotWrapped) {
  const auto one = counter(Direction::kRead, kFirst, 32);
  const auto traffic = traffic_of(one, {0xffff'fff0, 0, 0}, after_a_second(0x3'0000'0000));
  EXPECT_DOUBLE_EQ(traffic.domains[0].volume->total, 64.0 * (0x3'0000'0000 - 0xffff'fff0));
  EXPECT_FALSE(traffic_of(one, {0x3'0000'0000, 0, 0}, after_a_second(5)).domains[0].volume);
}

TEST(TrafficBetween, OfACountThatFellIsLost) {
  const auto traffic = traffic_of(counter(Direction::kRead), {100, 0, 0}, after_a_second(50));
  ASSERT_FALSE(traffic.domains[0].volume);
  EXPECT_EQ(traffic.domains[0].volume.error().message,
            "imc/x/ on CPU 0: its count fell from 100 to 50");
}

TEST(TrafficBetween, LosesTheDomainOfACounterThatDiedAndNoOther) {
  const std::vector counters{counter(Direction::kRead), counter(Direction::kWrite),
                             counter(Direction::kRead, kSecond),
                             counter(Direction::kWrite, kSecond)};
  Reading after{after_a_second(1), after_a_second(1), failure("imc_3: No such device"),
                after_a_second(1)};
  const auto traffic = traffic_between(counters, Reading(4, Tally{}), after);
  ASSERT_EQ(traffic.domains.size(), 2U);
  EXPECT_TRUE(traffic.domains[0].volume);
  ASSERT_FALSE(traffic.domains[1].volume);
  EXPECT_EQ(traffic.domains[1].volume.error().message, "imc_3: No such device");
  EXPECT_EQ(whole_volume(traffic).error().message,
            "the traffic of package 1 is lost: imc_3: No such device");
}

TEST(SpentTogether, IsScaledByTheShareOfAllIntervalsAndNotOfEach) {
  // In the second interval the counter had no turn: by itself it would have no figure.
  const std::vector counters{counter(Direction::kRead)};
  const auto first = spent_between(counters, Reading{Tally{}}, Reading{after_a_second(100)});
  const auto second =
      spent_between(counters, Reading{after_a_second(100)},
                    Reading{Tally{100, 2 * kSecondInNanoseconds, kSecondInNanoseconds}});
  EXPECT_FALSE(traffic_of(counters, second).domains[0].volume);
  const auto traffic = traffic_of(counters, together(first, second));
  EXPECT_DOUBLE_EQ(traffic.domains[0].volume->total, 12800.0);
  EXPECT_DOUBLE_EQ(traffic.seconds, 2.0);
  EXPECT_DOUBLE_EQ(traffic.running_share, 0.5);
}

TEST(SpentTogether, IsLostWhereOneOfTheIntervalsIs) {
  const std::vector counters{counter(Direction::kRead)};
  const Reading good{after_a_second(100)};
  const Reading dead{failure("imc: No such device")};
  for (const auto& both : {together(good, dead), together(dead, good)}) {
    EXPECT_EQ(traffic_of(counters, both).domains[0].volume.error().message, "imc: No such device");
  }
}

TEST(WholeVolume, IsTheSumOfAllDomains) {
  const std::vector counters{counter(Direction::kRead), counter(Direction::kWrite),
                             counter(Direction::kRead, kSecond),
                             counter(Direction::kWrite, kSecond)};
  const Reading after{after_a_second(3), after_a_second(1), after_a_second(30), after_a_second(10)};
  const Volume whole = whole_volume(traffic_between(counters, Reading(4, Tally{}), after)).value();
  EXPECT_DOUBLE_EQ(whole.read.value(), 33 * 64.0);
  EXPECT_DOUBLE_EQ(whole.written.value(), 11 * 64.0);
  EXPECT_DOUBLE_EQ(whole.total, 44 * 64.0);
}

TEST(WholeVolume, OfNothingIsAnError) {
  EXPECT_FALSE(whole_volume(Traffic{}));
  const auto unread = traffic_between(std::vector{counter(Direction::kRead)}, {}, {});
  EXPECT_THAT(whole_volume(unread).error().message, HasSubstr("it was not read"));
}

}  // namespace
}  // namespace streamgage
