#include "measure/expectation.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

const Kernel& kernel(std::string_view name) { return **find_kernel(name); }

const std::array kAllValues{InitialValues{}, InitialValues{Init::kConstant, 0},
                            InitialValues{Init::kRandom, 11}};

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
  for (const InitialValues& values : kAllValues) {
    for (const Kernel& row : kCatalogue) {
      const Expectation expectation(ElementType::kDouble, values);
      EXPECT_EQ(expectation.after(row, 0.5, 1) != expectation.pattern(0), row.stores) << row.name;
    }
  }
}

TEST(Expectation, ConstantArraysHaveOneValueEachAndUnlikeOnes) {
  const Expectation expectation(ElementType::kFloat, {Init::kConstant, 7});
  std::set<double> firsts;
  for (int operand = 0; operand < 4; ++operand) {
    const auto& pattern = expectation.pattern(operand);
    EXPECT_EQ(std::set<double>(pattern.begin(), pattern.end()).size(), 1U);
    firsts.insert(pattern.front());
  }
  EXPECT_EQ(firsts.size(), 4U);
}

TEST(Expectation, RandomValuesComeOfTheSeedAndReductionsOfThemAreExact) {
  for (const ElementType type : {ElementType::kDouble, ElementType::kFloat}) {
    const Expectation one(type, {Init::kRandom, 1});
    const Expectation other(type, {Init::kRandom, 2});
    for (int operand = 0; operand < 4; ++operand) {
      EXPECT_EQ(one.pattern(operand), Expectation(type, {Init::kRandom, 1}).pattern(operand));
      EXPECT_NE(one.pattern(operand), other.pattern(operand));
      EXPECT_NE(one.pattern(operand), Expectation(type).pattern(operand));
      for (const double value : one.pattern(operand)) {
        EXPECT_NE(value, 0.0);
        EXPECT_LE(std::abs(value), 1.0);
      }
    }
    EXPECT_EQ(one.reduction(kernel("sum"), Expectation::kPeriod), 0.0);
    EXPECT_EQ(one.reduction(kernel("dot"), Expectation::kPeriod), 0.0);
  }
  const Expectation random(ElementType::kDouble, {Init::kRandom, 1});
  const auto& fine = random.pattern(0);
  EXPECT_GT(std::set<double>(fine.begin(), fine.end()).size(), 900U);
}

TEST(Expectation, SumsOfConstantsAreThoseOfAllElements) {
  const Expectation expectation(ElementType::kFloat, {Init::kConstant, 0});
  const double b = expectation.pattern(1).front();
  const double c = expectation.pattern(2).front();
  for (const std::int64_t elements : {0, 1, 1021, 5000}) {
    const auto terms = static_cast<double>(elements);
    EXPECT_EQ(expectation.reduction(kernel("sum"), elements), terms * b);
    EXPECT_EQ(expectation.reduction(kernel("dot"), elements), terms * b * c);
  }
  // As many as a thread may add: with one more the sum in float would stand still.
  const std::int64_t most = *most_exact_terms(Init::kConstant, ElementType::kFloat);
  EXPECT_EQ(static_cast<double>(static_cast<float>(static_cast<double>(most) * b)),
            static_cast<double>(most) * b);
  const auto sum = static_cast<float>(static_cast<double>(most) * b);
  EXPECT_EQ(sum + static_cast<float>(b), sum);
  EXPECT_EQ(most_exact_terms(Init::kRandom, ElementType::kFloat), std::nullopt);
  EXPECT_EQ(most_exact_terms(Init::kPattern, ElementType::kFloat), std::nullopt);
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
    for (const InitialValues& values : kAllValues) {
      for (const Kernel& row : kCatalogue) {
        const double s = scalar_of_run(make(row, StoreMode::kPlain, type), 0);
        Expectation at_once(type, values);
        Expectation one_by_one(type, values);
        at_once.advance(row, s, 2001);
        for (int pass = 0; pass < 2001; ++pass) {
          one_by_one.advance(row, s, 1);
        }
        EXPECT_EQ(at_once.pattern(0), one_by_one.pattern(0)) << row.name;
      }
    }
  }
}

// A sum of two multiples of a unit that both have fewer bits than the type is exact.
TEST(Expectation, RandomValuesStayMultiplesOfAUnitThatDoublesHold) {
  const double unit = std::ldexp(1.0, -32);
  for (const Kernel& row : kCatalogue) {
    Expectation expectation(ElementType::kDouble, {Init::kRandom, 11});
    for (int run = 0; run < 20; ++run) {
      if (expectation.would_round(1)) {
        expectation.reset();
      }
      expectation.advance(row,
                          scalar_of_run(make(row, StoreMode::kPlain, ElementType::kDouble), run),
                          Expectation::kMostPasses);
      for (const double value : expectation.pattern(0)) {
        EXPECT_EQ(std::round(value / unit), value / unit) << row.name;
        EXPECT_LE(std::abs(value) / unit, std::ldexp(1.0, 53)) << row.name;
      }
    }
  }
}

TEST(Expectation, MostPassesOfARunStayExactInFloatUntilTheArrayHasGrown) {
  for (const InitialValues& values : kAllValues) {
    for (const Kernel& row : kCatalogue) {
      Expectation expectation(ElementType::kFloat, values);
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
