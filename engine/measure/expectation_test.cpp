#include "measure/expectation.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace streamgage {
namespace {

const Kernel& kernel(std::string_view name) { return **find_kernel(name); }

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
    EXPECT_EQ(expectation.after(row, 0.5) != expectation.pattern(0), row.stores) << row.name;
  }
}

TEST(Expectation, ValuesStayBoundedOverMoreRunsThanAnyPlanHas) {
  for (const ElementType type : {ElementType::kDouble, ElementType::kFloat}) {
    for (const Kernel& row : kCatalogue) {
      Expectation expectation(type);
      const Variant variant{0, &row, StoreMode::kPlain, type, nullptr, {}, {}};
      for (std::int64_t run = 0; run < 1000; ++run) {
        expectation.advance(row, scalar_of_run(variant, run));
      }
      for (const double value : expectation.pattern(0)) {
        EXPECT_LE(std::abs(value), 2001.0) << row.name;
        EXPECT_TRUE(value == 0.0 || std::abs(value) > 1e-3) << row.name << value;
      }
    }
  }
}

TEST(Expectation, ScalarsTellOneRunFromTheNext) {
  for (const auto& [name, store] : {std::pair{"init", StoreMode::kPlain},
                                    {"init", StoreMode::kLibc},
                                    {"triad", StoreMode::kRegular},
                                    {"scale", StoreMode::kStreaming}}) {
    const Variant variant{0, &kernel(name), store, ElementType::kDouble, nullptr, {}, {}};
    EXPECT_NE(scalar_of_run(variant, 0), scalar_of_run(variant, 1)) << name;
  }
}

}  // namespace
}  // namespace streamgage
