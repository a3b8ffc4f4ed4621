#include "kernels/own/declaration.hpp"

#include <array>
#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

double run_nothing(const streamgage_call* /*call*/) { return 0.0; }

// A copy that is right, for tests to spoil.
struct Declared {
  std::array<streamgage_array, 2> arrays{{{"a", "double", STREAMGAGE_WRITE, 0.0, 0, 0.0},
                                          {"b", "float", STREAMGAGE_READ, 0.5, 3, 4.0}}};
  streamgage_kernel kernel{STREAMGAGE_KERNEL_VERSION,
                           "mine",
                           "a = b",
                           arrays.data(),
                           2,
                           1.5,
                           0,
                           run_nothing,
                           nullptr,
                           nullptr};
};

std::string wrong_with(const std::function<void(Declared&)>& spoil) {
  Declared declared;
  spoil(declared);
  OwnKernel kernel;
  return take_declaration(declared.kernel, kernel).value_or("");
}

TEST(Declaration, ItsFactsAreTaken) {
  Declared declared;
  OwnKernel kernel;
  ASSERT_FALSE(take_declaration(declared.kernel, kernel));
  EXPECT_EQ(kernel.name, "mine");
  EXPECT_EQ(kernel.formula, "a = b");
  EXPECT_EQ(kernel.flops, 1.5);
  EXPECT_EQ(kernel.grain, 1);
  ASSERT_EQ(kernel.arrays.size(), 2U);
  EXPECT_EQ(kernel.arrays[0].per_iteration, 1.0);
  EXPECT_EQ(kernel.arrays[0].bytes, 8.0);
  EXPECT_TRUE(kernel.arrays[0].is_written);
  EXPECT_FALSE(kernel.arrays[0].is_read);
  EXPECT_EQ(kernel.arrays[1].bytes, 4.0);
  EXPECT_EQ(kernel.arrays[1].elements(11), 9);  // 5.5, rounded up, and 3
}

TEST(Declaration, WhatIsWrongIsReportedByName) {
  const std::vector<std::pair<std::function<void(Declared&)>, const char*>> defects{
      {[](Declared& one) { one.kernel.version = 2; }, "version 2 of streamgage/kernel.h"},
      {[](Declared& one) { one.kernel.name = nullptr; }, "declares no valid name"},
      {[](Declared& one) { one.kernel.name = ""; }, "declares no valid name"},
      {[](Declared& one) { one.kernel.name = "a b"; }, "declares no valid name"},
      {[](Declared& one) { one.kernel.name = "triad"; }, "a built-in kernel"},
      {[](Declared& one) { one.kernel.formula = nullptr; }, "declares no valid formula"},
      {[](Declared& one) { one.kernel.formula = "a\x1b[2J"; }, "declares no valid formula"},
      {[](Declared& one) { one.kernel.array_count = 0; }, "declares 0 arrays; declare 1 to 16"},
      {[](Declared& one) { one.kernel.array_count = 17; }, "declares 17 arrays"},
      {[](Declared& one) { one.kernel.arrays = nullptr; }, "not their names"},
      {[](Declared& one) { one.kernel.flops = NAN; }, "nan flops"},
      {[](Declared& one) { one.kernel.flops = -1; }, "-1 flops"},
      {[](Declared& one) { one.kernel.grain = -1; }, "a grain of -1"},
      {[](Declared& one) { one.kernel.run = nullptr; }, "no function to run"},
      {[](Declared& one) { one.arrays[1].name = nullptr; }, "no valid name for array number 2"},
      {[](Declared& one) { one.arrays[1].name = "a"; }, "two arrays named a"},
      {[](Declared& one) { one.arrays[1].type = "half"; }, "unknown type for its array b"},
      {[](Declared& one) { one.arrays[1].type = nullptr; }, "unknown type for its array b"},
      {[](Declared& one) { one.arrays[1].access = 0; }, "how it uses its array b"},
      {[](Declared& one) { one.arrays[1].access = 4; }, "how it uses its array b"},
      {[](Declared& one) { one.arrays[1].per_iteration = -1.0; }, "-1 elements per iteration"},
      {[](Declared& one) { one.arrays[1].per_iteration = INFINITY; }, "inf elements per iteration"},
      {[](Declared& one) { one.arrays[1].extra = -1; }, "-1 extra elements"},
      {[](Declared& one) { one.arrays[1].bytes = -8.0; }, "-8 bytes per iteration"},
      {[](Declared& one) { one.arrays[1].bytes = 1e30; }, "1e+30 bytes per iteration"},
      {[](Declared& one) { one.arrays[1].bytes = 1e-30; }, "1e-30 bytes per iteration"},
      {[](Declared& one) { one.arrays[1].bytes = NAN; }, "nan bytes per iteration"},
      {[](Declared& one) { one.arrays[1].bytes = INFINITY; }, "inf bytes per iteration"},
      {[](Declared& one) { one.arrays[1].per_iteration = 1e-300; },
       "1e-300 elements per iteration"},
      {[](Declared& one) { one.kernel.flops = 1e30; },
       "1e+30 flops per iteration; use a number from 0"}};
  for (const auto& [spoil, sentence] : defects) {
    EXPECT_THAT(wrong_with(spoil), HasSubstr(sentence));
  }
}

TEST(Declaration, ElementsBeyondTheLastIterationBelongToTheRangeThatEndsThere) {
  OwnArray array;
  array.per_iteration = 1.5;
  array.extra = 4;
  EXPECT_EQ(array.elements_of({0, 3}, 10).end, 5);
  EXPECT_EQ(array.elements_of({3, 10}, 10).begin, 5);
  EXPECT_EQ(array.elements_of({3, 10}, 10).end, 19);
  EXPECT_EQ(array.elements_of({10, 10}, 10).size(), 0);
}

}  // namespace
}  // namespace streamgage::engine
