#include "measure/own/guarded_array.hpp"

#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

TEST(GuardedArray, ARedZoneShowsWhatIsWrittenNextToTheArray) {
  const auto array = GuardedArray::reserve(1000, Guards::kApart, PageSize::kHuge);
  ASSERT_TRUE(array) << array.error().message;
  array->paint();
  EXPECT_EQ(array->damage(), std::nullopt);
  for (const std::int64_t at : {-4096, -1, 1000, 4999}) {
    array->data()[at] ^= std::byte{0xff};
    EXPECT_EQ(array->damage(), at);
    array->paint();
  }
  array->data()[0] = std::byte{1};
  array->data()[999] = std::byte{1};
  EXPECT_EQ(array->damage(), std::nullopt);
}

TEST(GuardedArray, InAMeasurementStartsWhereHugePagesDo) {
  const auto array = GuardedArray::reserve(3 * kMiB, Guards::kApart, PageSize::kHuge);
  ASSERT_TRUE(array);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array->data()) % (2 * kMiB), 0U);
}

TEST(GuardedArray, NothingBeforeOrBehindItIsAccessible) {
  const auto start = GuardedArray::reserve(1024, Guards::kStart, PageSize::kSmall);
  const auto end = GuardedArray::reserve(1024, Guards::kEnd, PageSize::kSmall);
  ASSERT_TRUE(start);
  ASSERT_TRUE(end);
  start->data()[0] = end->data()[1023] = std::byte{1};
  EXPECT_DEATH(start->data()[-1] = std::byte{1}, "");
  EXPECT_DEATH(end->data()[1024] = std::byte{1}, "");
}

TEST(GuardedArray, WhatIsLeftOfAlignmentBehindItIsARedZone) {
  const auto array = GuardedArray::reserve(1001, Guards::kEnd, PageSize::kSmall);
  ASSERT_TRUE(array);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array->data()) % 64, 0U);
  array->paint();
  array->data()[1001] ^= std::byte{1};
  EXPECT_EQ(array->damage(), 1001);
}

}  // namespace
}  // namespace streamgage::engine
