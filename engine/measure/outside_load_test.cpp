#include "measure/outside_load.hpp"

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

constexpr std::string_view kStat =
    "cpu  400 0 40 1000 0 0 0 30 0 0\n"
    "cpu0 100 10 20 500 7 3 4 10 0 0\n"
    "cpu1 300 0 20 500 0 0 0 20 0 0\n"
    "cpu10 1 1 1 1 1 1 1 1 1 1\n"
    "intr 12345\n";

TEST(OutsideLoad, SumsTheLinesOfTheCpusInUse) {
  const auto both = parse_cpu_times(kStat, {0, 1}, 100.0);
  ASSERT_TRUE(both);
  EXPECT_DOUBLE_EQ(both->busy, 1.37 + 3.2);
  EXPECT_DOUBLE_EQ(both->steal, 0.3);
  EXPECT_DOUBLE_EQ(parse_cpu_times(kStat, {1}, 100.0)->steal, 0.2);
}

TEST(OutsideLoad, ACpuThatIsNotListedMakesItUnknown) {
  EXPECT_FALSE(parse_cpu_times(kStat, {0, 2}, 100.0));
  EXPECT_FALSE(parse_cpu_times("", {0}, 100.0));
}

TEST(OutsideLoad, ShortSpansAreGatheredIntoOneThatSaysSomething) {
  OutsideLoad load({0}, {});
  EXPECT_FALSE(load.since_last(0, 1000.0));
  const auto disturbance = load.since_last(3, 0.0);
  ASSERT_TRUE(disturbance);
  EXPECT_EQ(disturbance->first_block, 0);
  EXPECT_EQ(disturbance->last_block, 3);
  EXPECT_GT(disturbance->seconds, 0.0);
  EXPECT_FALSE(load.since_last(3, 0.0));  // no block has come since
  EXPECT_EQ(load.since_last(4, 0.0)->first_block, 4);
}

}  // namespace
}  // namespace streamgage::engine
