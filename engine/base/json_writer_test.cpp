#include "base/json_writer.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(JsonWriter, AWholeNumberKeepsEveryIntegerOfAnyType) {
  const auto written = [](WholeNumber number) { return number_of(number).dump(); };
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(written(std::uint8_t{7}), "7");
  EXPECT_EQ(WholeNumber(7U), WholeNumber(std::int64_t{7}));
}

TEST(JsonWriter, ANumberStaysWholeIfItIs) {
  EXPECT_EQ(number_of(AnyNumber(2)).dump(), "2");
  EXPECT_EQ(number_of(AnyNumber(2.5)).dump(), "2.5");
}

TEST(JsonWriter, WhatIsNotThereIsNull) {
  const auto twice = [](int value) { return Json(2 * value); };
  EXPECT_TRUE(or_null(std::optional<int>(), twice).is_null());
  EXPECT_EQ(or_null(std::optional(4), twice), 8);
  EXPECT_EQ(list_of(std::vector<int>{}, twice), Json::array());
}

}  // namespace
}  // namespace streamgage::engine
