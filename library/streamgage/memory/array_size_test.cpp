#include "streamgage/memory/array_size.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"

namespace streamgage {
namespace {

using testing::HasSubstr;

TEST(ArraySize, IsFourTimesTheLastLevelCachesInUse) {
  const auto size = choose_array_size({64 * kGiB, {}}, {260 * kMiB, 8, 4, 2, {}});
  ASSERT_TRUE(size);
  EXPECT_EQ(size->bytes, 1040 * kMiB);
  EXPECT_EQ(size->elements, static_cast<std::int64_t>(130 * kMiB));
  EXPECT_FALSE(size->cap_bytes);
}

TEST(ArraySize, IsAtLeastAMillionElements) {
  const auto size = choose_array_size({kGiB, {}}, {0, 4, 3, 1, {}});
  ASSERT_TRUE(size);
  EXPECT_GE(size->elements, 1'000'000);
  EXPECT_EQ(size->rule_bytes, 4'000'000U);
}

TEST(ArraySize, GivesEveryThreadTheSameNumberOfHugePages) {
  const auto size = choose_array_size({64 * kGiB, {}}, {33 * kMiB, 8, 3, 7, {}});
  ASSERT_TRUE(size);
  EXPECT_EQ(size->bytes % (7 * (2 * kMiB)), 0U);
  EXPECT_GE(size->bytes, 132 * kMiB);
}

TEST(ArraySize, IsTheUsualOneWhereThatIsMoreThanTheRuleAndFits) {
  const SizeRequest request{6 * kMiB, 8, 3, 1, {}, kGiB};
  const auto roomy = choose_array_size({16 * kGiB, {}}, request);
  ASSERT_TRUE(roomy);
  EXPECT_EQ(roomy->bytes, kGiB);
  EXPECT_EQ(roomy->rule_bytes, 24 * kMiB);
  const auto full = choose_array_size({kGiB, {}}, request);
  ASSERT_TRUE(full);
  EXPECT_EQ(full->bytes, 24 * kMiB);
  EXPECT_FALSE(full->cap_bytes);
  const auto large = choose_array_size({64 * kGiB, {}}, {500 * kMiB, 8, 3, 1, {}, kGiB});
  ASSERT_TRUE(large);
  EXPECT_EQ(large->bytes, 2000 * kMiB);
}

TEST(ArraySize, FreeMemoryCapsItAndSaysSo) {
  const auto size = choose_array_size({kGiB, {}}, {260 * kMiB, 8, 4, 2, {}});
  ASSERT_TRUE(size);
  EXPECT_EQ(size->capped_by, "available");
  EXPECT_LE(size->bytes * 4, kGiB / 10 * 9);
  EXPECT_EQ(size->rule_bytes, 1040 * kMiB);
}

TEST(ArraySize, TheRuleIsKeptWhereverMemoryHoldsIt) {
  // 256 threads would round 1040 MiB up to 1536, which does not fit.
  const auto size = choose_array_size({4900 * kMiB, {}}, {260 * kMiB, 8, 3, 256, {}});
  ASSERT_TRUE(size);
  EXPECT_EQ(size->bytes, 1040 * kMiB);
  EXPECT_FALSE(size->cap_bytes);
}

TEST(ArraySize, TheContainersLimitCountsWhereItIsStricter) {
  const auto size = choose_array_size({64 * kGiB, kGiB}, {260 * kMiB, 8, 4, 2, {}});
  ASSERT_TRUE(size);
  EXPECT_EQ(size->capped_by, "cgroup");
  const auto roomy = choose_array_size({kGiB, 64 * kGiB}, {260 * kMiB, 8, 4, 2, {}});
  EXPECT_EQ(roomy->capped_by, "available");
}

TEST(ArraySize, TheNodesThatMemoryIsBoundToCountWhereTheyHaveLess) {
  const auto capped = choose_array_size({64 * kGiB, {}, kGiB, {2}}, {260 * kMiB, 8, 4, 2, {}});
  ASSERT_TRUE(capped);
  EXPECT_EQ(capped->capped_by, "nodes");
  const auto large = choose_array_size({64 * kGiB, {}, kGiB, {2}}, {kMiB, 8, 3, 2, 900 * kMiB});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().status, ExitStatus::kUsage);
  EXPECT_THAT(
      large.error().message,
      HasSubstr("1 GiB are free on node 2, and streamgage uses at most nine tenths of that"));
  const auto one = choose_array_size({kGiB, {}}, {kMiB, 8, 1, 2, 2 * kGiB});
  ASSERT_FALSE(one);
  EXPECT_THAT(one.error().message, HasSubstr("1 array of 2 GiB does not fit into memory"));
  const auto none = choose_array_size({64 * kGiB, {}, 10 * kMiB, {2, 3}}, {kMiB, 8, 3, 2, {}});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("are free on nodes 2-3, too little"));
}

TEST(ArraySize, WhatWasAskedForIsTakenToTheElement) {
  const auto size = choose_array_size({kGiB, {}}, {260 * kMiB, 8, 3, 2, 1'000'007});
  ASSERT_TRUE(size);
  EXPECT_EQ(size->elements, 125'000);
  EXPECT_EQ(size->bytes, 1'000'000U);
}

TEST(ArraySize, WhatCannotBeHadIsRefusedWithWhatCan) {
  const auto large = choose_array_size({kGiB, {}}, {kMiB, 8, 3, 2, 900 * kMiB});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().status, ExitStatus::kUsage);
  EXPECT_THAT(large.error().message, HasSubstr("at most 307 MiB"));
  const auto small = choose_array_size({kGiB, {}}, {kMiB, 8, 3, 4, 31});
  ASSERT_FALSE(small);
  EXPECT_THAT(small.error().message, HasSubstr("at least 32 bytes"));
  const auto none = choose_array_size({10 * kMiB, {}}, {kMiB, 8, 3, 2, {}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().status, ExitStatus::kFailed);
}

}  // namespace
}  // namespace streamgage
