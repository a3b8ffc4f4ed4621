#include "kernels/vector/shapes.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/vector/prefetch.hpp"

namespace streamgage::engine {
namespace {

TEST(Shapes, ThoseThatDoNotExistAreRefusedWithThoseThatDo) {
  EXPECT_TRUE(check_shape({}));
  EXPECT_TRUE(check_shape({8, 4096, {}, {}}));
  EXPECT_THAT(check_shape({3, 0, {}, {}}).error().message, testing::HasSubstr("1, 2, 4 or 8"));
  EXPECT_THAT(check_shape({2, 5000, {}, {}}).error().message,
              testing::HasSubstr("a power of two from"));
  EXPECT_THAT(check_shape({2, 512, {}, {}}).error().message,
              testing::HasSubstr("a power of two from"));
  if (kHasPrefetch) {
    EXPECT_TRUE(check_shape({1, 0, 1024, 0}));
    EXPECT_THAT(check_shape({1, 0, 100, {}}).error().message,
                testing::HasSubstr("a multiple of 64"));
    EXPECT_THAT(check_shape({1, 0, {}, 1 << 20}).error().message,
                testing::HasSubstr("from 0 to 64 KiB"));
  } else {
    EXPECT_THAT(check_shape({1, 0, 1024, {}}).error().message, testing::HasSubstr("no prefetch"));
  }
}

TEST(Shapes, WhatHasNoEffectIsLeftOut) {
  const AccessShape all{1, 4096, 1024, 1024};
  const Kernel& init = **find_kernel("init");
  const Kernel& sum = **find_kernel("sum");
  const Kernel& copy = **find_kernel("copy");
  EXPECT_EQ(that_matters(all, init, VectorStore::kRegular), (AccessShape{1, 0, {}, 1024}));
  EXPECT_EQ(that_matters(all, sum, VectorStore::kRegular), (AccessShape{1, 0, 1024, {}}));
  EXPECT_EQ(that_matters(all, copy, VectorStore::kStreaming), (AccessShape{1, 0, 1024, {}}));
  EXPECT_EQ(that_matters(all, copy, VectorStore::kClaim), (AccessShape{1, 0, 1024, 1024}));
}

TEST(Shapes, CandidatesExistAndNoneComesTwiceAndTheDefaultIsAmongThem) {
  for (const Kernel& kernel : kCatalogue) {
    for (const VectorStore store :
         {VectorStore::kRegular, VectorStore::kStreaming, VectorStore::kClaim}) {
      const auto shapes = candidate_shapes(kernel, store);
      EXPECT_EQ(shapes.front(), AccessShape{});
      EXPECT_GE(shapes.size(), 10U);
      for (const AccessShape& shape : shapes) {
        EXPECT_TRUE(check_shape(shape));
        EXPECT_EQ(shape, that_matters(shape, kernel, store));
        EXPECT_EQ(std::count(shapes.begin(), shapes.end(), shape), 1);
      }
    }
  }
}

}  // namespace
}  // namespace streamgage::engine
