#include "measure/block_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

// Known values: another library, compiler or processor must draw the same.
TEST(BlockOrder, ASeedGivesTheSameOrderEverywhere) {
  BlockOrder order(7);
  EXPECT_THAT(order.next(numbers_below(6)), testing::ElementsAre(5, 1, 4, 2, 0, 3));
}

TEST(BlockOrder, EveryVariantComesEquallyOftenInEveryPlace) {
  constexpr std::size_t kVariants = 5;
  constexpr int kBlocks = 20'000;
  BlockOrder order(1);
  std::vector<std::vector<int>> counts(kVariants, std::vector<int>(kVariants));
  for (int block = 0; block < kBlocks; ++block) {
    const auto drawn = order.next(numbers_below(kVariants));
    for (std::size_t place = 0; place < kVariants; ++place) {
      ++counts[place][drawn[place]];
    }
  }
  for (const auto& places : counts) {
    for (const int count : places) {
      EXPECT_NEAR(count, kBlocks / kVariants, 300);  // over 5 standard deviations
    }
  }
}

TEST(BlockOrder, OneVariantNeedsNoOrder) {
  BlockOrder order(3);
  EXPECT_THAT(order.next({4}), testing::ElementsAre(4));
}

}  // namespace
}  // namespace streamgage::engine
