#include "node/expected_rate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

TEST(ExpectedRate, IsReadWithItsUnitAndWhatMayBeMissing) {
  const auto limit = [](const char* text) { return parse_expected_rate(text)->limit() * 1e-9; };
  EXPECT_DOUBLE_EQ(limit("triad=420GB/s,-5%"), 399.0);
  EXPECT_DOUBLE_EQ(limit(" triad = 0.42 TB/s , -5 % "), 399.0);
  EXPECT_DOUBLE_EQ(limit("sum=950MB/s"), 0.95);
  EXPECT_DOUBLE_EQ(limit("triad=4.2e2GB/s,-1e1%"), 378.0);
  EXPECT_EQ(parse_expected_rate("triad streaming=1GB/s")->store, StoreMode::kStreaming);
}

TEST(ExpectedRate, WhatIsNoneIsRefused) {
  const auto why = [](const char* text) { return parse_expected_rate(text).error().message; };
  EXPECT_THAT(why("triad"), HasSubstr("names no figure"));
  EXPECT_THAT(why("quad=1GB/s"), HasSubstr("no kernel 'quad'"));
  EXPECT_THAT(why("triad odd=1GB/s"), HasSubstr("--expect 'triad odd=1GB/s': there is no store"));
  EXPECT_THAT(why(" =1GB/s"), HasSubstr("names no figure"));
  EXPECT_THAT(why("triad=GB/s"), HasSubstr("has no number"));
  EXPECT_THAT(why("triad=420"), HasSubstr("has no unit"));
  EXPECT_THAT(why("triad=-1GB/s"), HasSubstr("not a rate from 1 byte/s"));
  EXPECT_THAT(why("triad=2000TB/s"), HasSubstr("not a rate from 1 byte/s"));
  EXPECT_THAT(why("triad=1e400GB/s"), HasSubstr("not a rate from 1 byte/s"));
  EXPECT_THAT(why("triad=1e-320MB/s"), HasSubstr("not a rate from 1 byte/s"));
  EXPECT_THAT(why("triad=1e-400GB/s"), HasSubstr("not a rate from 1 byte/s"));
  EXPECT_THAT(why("triad=infGB/s"), HasSubstr("has no number"));
  EXPECT_THAT(why("triad=1GB/s,-1e400%"), HasSubstr("no percentage"));
  EXPECT_THAT(why("triad=1GB/s,5%"), HasSubstr("no percentage"));
  EXPECT_THAT(why("triad=1GB/s,-100%"), HasSubstr("no percentage"));
  EXPECT_THAT(why("triad=1GB/s;"), HasSubstr("ends with"));
}

TEST(ExpectedRate, AFigureHasOneLimit) {
  const auto rates = parse_expected_rates({"triad=1GB/s", "triad streaming=1GB/s", "sum=1GB/s"});
  ASSERT_TRUE(rates);
  EXPECT_EQ(name_of(rates->at(1)), "triad streaming");
  EXPECT_THAT(parse_expected_rates({"triad=1GB/s", "triad plain=2GB/s"}).error().message,
              HasSubstr("names triad twice"));
}

}  // namespace
}  // namespace streamgage::engine
