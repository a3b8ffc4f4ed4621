#include "measure/expectation.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

const Kernel& kernel(std::string_view name) { return **find_kernel(name); }

Variant make(const Kernel& row, StoreMode store, ElementType type) {
  Variant variant;
  variant.kernel = &row;
  variant.store = store;
  variant.type = type;
  return variant;
}

TEST(Expectation, NoValueIsZeroAndAllAreEighthsWithinOne) {
  const Expectation expectation(ElementType::kDouble);
  for (int operand = 0; operand < 4; ++operand) {
    for (const double value : expectation.pattern(operand)) {
      EXPECT_NE(value, 0.0);
      EXPECT_LE(std::abs(value), 1.0);
      EXPECT_EQ(value * 8.0, std::round(value * 8.0));
    }
  }
}

TEST(Expectation, ReductionsOverAPeriodAreZeroAndExactOverAnyLength) {
  const Expectation expectation(ElementType::kFloat);
  const auto& b = expectation.pattern(1);
  const auto& c = expectation.pattern(2);
  EXPECT_EQ(std::accumulate(b.begin(), b.end(), 0.0), 0.0);
  EXPECT_EQ(std::inner_product(b.begin(), b.end(), c.begin(), 0.0), 0.0);
  for (const std::int64_t elements : {0, 1, 1000, 1021, 1022, 5000}) {
    double sum = 0.0;
    double dot = 0.0;
    for (std::int64_t i = 0; i < elements; ++i) {
      const auto at = static_cast<std::size_t>(i % Expectation::kPeriod);
      sum += b[at];
      dot += b[at] * c[at];
    }
    EXPECT_EQ(expectation.reduction(kernel("sum"), elements), sum);
    EXPECT_EQ(expectation.reduction(kernel("dot"), elements), dot);
  }
}

TEST(Expectation, EveryKernelThatStoresChangesTheTarget) {
  for (const Kernel& row : kCatalogue) {
    const Expectation expectation(ElementType::kDouble);
    EXPECT_EQ(expectation.after(row, 0.5, 1) != expectation.pattern(0), row.stores) << row.name;
  }
}

TEST(Expectation, ValuesStayBoundedOverMoreRunsThanAnyPlanHas) {
  for (const ElementType type : {ElementType::kDouble, ElementType::kFloat}) {
    for (const Kernel& row : kCatalogue) {
      Expectation expectation(type);
      const Variant variant = make(row, StoreMode::kPlain, type);
      for (std::int64_t run = 0; run < 1000; ++run) {
        expectation.advance(row, scalar_of_run(variant, run), 1);
      }
      for (const double value : expectation.pattern(0)) {
        EXPECT_LE(std::abs(value), 2001.0) << row.name;
        EXPECT_TRUE(value == 0.0 || std::abs(value) > 1e-3) << row.name << value;
      }
    }
  }
}

TEST(Expectation, ManyPassesAtOnceAreTheSameAsOneAfterTheOther) {
  for (const ElementType type : {ElementType::kDouble, ElementType::kFloat}) {
    for (const Kernel& row : kCatalogue) {
      const double s = scalar_of_run(make(row, StoreMode::kPlain, type), 0);
      Expectation at_once(type);
      Expectation one_by_one(type);
      at_once.advance(row, s, 2001);
      for (int pass = 0; pass < 2001; ++pass) {
        one_by_one.advance(row, s, 1);
      }
      EXPECT_EQ(at_once.pattern(0), one_by_one.pattern(0)) << row.name;
    }
  }
}

TEST(Expectation, MostPassesOfARunStayExactInFloatUntilTheArrayHasGrown) {
  for (const Kernel& row : kCatalogue) {
    Expectation expectation(ElementType::kFloat);
    for (int run = 0; run < 20; ++run) {
      if (expectation.would_round(1)) {
        expectation.reset();
        EXPECT_FALSE(expectation.would_round(1));
      }
      expectation.advance(row,
                          scalar_of_run(make(row, StoreMode::kPlain, ElementType::kFloat), run),
                          Expectation::kMostPasses);
      for (const double value : expectation.pattern(0)) {
        EXPECT_EQ(static_cast<double>(static_cast<float>(value)), value) << row.name;
        EXPECT_EQ(std::round(value * 64.0), value * 64.0) << row.name;
        EXPECT_LE(std::abs(value) * 64.0, 1 << 24) << row.name;
      }
    }
  }
}

TEST(Expectation, WhatMemsetLeavesStandsOnePassAndNoMore) {
  Expectation expectation(ElementType::kDouble);
  EXPECT_FALSE(expectation.would_round(101));
  const Kernel& init = kernel("init");
  expectation.advance(init, scalar_of_run(make(init, StoreMode::kLibc, ElementType::kDouble), 0),
                      1);
  EXPECT_FALSE(expectation.would_round(1));
  EXPECT_TRUE(expectation.would_round(3));
}

TEST(Expectation, ScalarsDifferFromOneRunToTheNext) {
  for (const auto& [name, store] : {std::pair{"init", StoreMode::kPlain},
                                    {"init", StoreMode::kLibc},
                                    {"triad", StoreMode::kRegular},
                                    {"scale", StoreMode::kStreaming}}) {
    const Variant variant = make(kernel(name), store, ElementType::kDouble);
    EXPECT_NE(scalar_of_run(variant, 0), scalar_of_run(variant, 1)) << name;
  }
}

}  // namespace
}  // namespace streamgage::engine
