#include "latency/chain_size.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

const MemoryBudget kPlenty{100 * kGiB, {}};

TEST(ChainSize, IsFourTimesTheLastLevelCacheInWholeHugePages) {
  EXPECT_EQ(choose_chain_bytes(32 * kMiB, kPlenty).value(), 128 * kMiB);
  EXPECT_EQ(choose_chain_bytes(35'651'584 + 1, kPlenty).value(), 138 * kMiB);
}

TEST(ChainSize, LiesBetween64MiBAndAGiB) {
  EXPECT_EQ(choose_chain_bytes(kMiB, kPlenty).value(), 64 * kMiB);
  EXPECT_EQ(choose_chain_bytes(480 * kMiB, kPlenty).value(), kGiB);
}

TEST(ChainSize, IsTheLargestWhereNoCacheIsKnown) {
  EXPECT_EQ(choose_chain_bytes(0, kPlenty).value(), kGiB);
}

TEST(ChainSize, TakesAQuarterOfTheFreeMemoryAtMost) {
  EXPECT_EQ(choose_chain_bytes(32 * kMiB, {400 * kMiB, {}}).value(), 100 * kMiB);
  EXPECT_EQ(choose_chain_bytes(32 * kMiB, {100 * kGiB, 400 * kMiB}).value(), 100 * kMiB);
  EXPECT_EQ(choose_chain_bytes(32 * kMiB, {400 * kMiB, 100 * kGiB}).value(), 100 * kMiB);
}

TEST(ChainSize, IsAnErrorWhereACacheWouldBeMeasured) {
  for (const MemoryBudget& budget : {MemoryBudget{200 * kMiB, {}}, MemoryBudget{kGiB, 0}}) {
    const auto bytes = choose_chain_bytes(kMiB, budget);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().status, ExitStatus::kFailed);
    EXPECT_THAT(bytes.error().message, testing::HasSubstr("64 MiB"));
  }
  EXPECT_FALSE(choose_chain_bytes(64 * kMiB, {500 * kMiB, {}}));
}

TEST(ChainSize, IsHeldByTheNodesThatMemoryIsBoundTo) {
  EXPECT_EQ(choose_chain_bytes(32 * kMiB, {100 * kGiB, {}, 400 * kMiB, {1}}).value(), 100 * kMiB);
  const auto bytes = choose_chain_bytes(kMiB, {100 * kGiB, {}, 200 * kMiB, {1}});
  ASSERT_FALSE(bytes);
  EXPECT_THAT(bytes.error().message,
              testing::HasSubstr("only 200 MiB of memory are free on node 1;"));
}

}  // namespace
}  // namespace streamgage::engine
