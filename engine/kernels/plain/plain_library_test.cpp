#include "kernels/plain/plain_library.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/choose_variants.hpp"
#include "kernels/variant.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

TEST(PlainLibrary, SymbolsAreNamedByTypeAndKernel) {
  EXPECT_EQ(symbol_of("triad", ElementType::kDouble), "streamgage_double_triad");
  EXPECT_EQ(symbol_of("sum", ElementType::kFloat), "streamgage_float_sum");
}

TEST(PlainLibrary, WhatIsNoLibraryIsReported) {
  const auto missing = kernel_of_library("/no/such/library.so", "triad", ElementType::kDouble);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("/no/such/library.so cannot be loaded"));
}

TEST(PlainLibrary, OneThatCannotBeLoadedOrIsNotAskedForIsRefused) {
  Plan plan;
  plan.kernels = {"triad"};
  plan.plain_library = PlainLibrary{"/no/such/library.so", "somecc -O9"};
  const auto missing = choose_variants(plan);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("/no/such/library.so cannot be loaded"));
  plan.stores = std::vector<std::string>{"regular"};
  const auto idle = choose_variants(plan);
  ASSERT_FALSE(idle);
  EXPECT_THAT(idle.error().message, HasSubstr("needs the store mode plain"));
}

#ifdef STREAMGAGE_PLAIN_PROBE

TEST(PlainLibrary, ItsKernelsCompute) {
  const auto triad = kernel_of_library(STREAMGAGE_PLAIN_PROBE, "triad", ElementType::kDouble);
  ASSERT_TRUE(triad) << triad.error().message;
  ASSERT_NE(*triad, nullptr);
  std::array<double, 4> a{};
  const std::array<double, 4> b{1, 2, 3, 4};
  const std::array<double, 4> c{10, 20, 30, 40};
  EXPECT_EQ((*triad)(a.data(), b.data(), c.data(), nullptr, 0.5, 1, 3), 0.0);
  EXPECT_THAT(a, testing::ElementsAre(0, 12, 18, 0));
}

TEST(PlainLibrary, TakesThePlaceOfTheEnginesOwnPlainKernels) {
  Plan plan;
  plan.kernels = {"copy", "triad"};
  plan.stores = std::vector<std::string>{"plain", "regular"};
  plan.plain_library = PlainLibrary{STREAMGAGE_PLAIN_PROBE, "somecc -O9"};
  const auto choice = choose_variants(plan);
  ASSERT_TRUE(choice) << choice.error().message;
  int plain = 0;
  for (const Variant& variant : choice->variants) {
    if (variant.store == StoreMode::kPlain) {
      ++plain;
      EXPECT_EQ(variant.code, "somecc -O9");
      EXPECT_EQ(variant.isa, "as compiled");
      EXPECT_FALSE(variant.calls);
    }
  }
  EXPECT_EQ(plain, 2);
}

TEST(PlainLibrary, AKernelThatItLacksIsAbsentWithTheReason) {
  Plan plan;
  plan.kernels = {"triad"};
  plan.stores = std::vector<std::string>{"plain"};
  plan.type = ElementType::kFloat;
  plan.plain_library = PlainLibrary{STREAMGAGE_PLAIN_PROBE, "somecc -O9"};
  const auto choice = choose_variants(plan);
  ASSERT_FALSE(choice);
  EXPECT_THAT(choice.error().message, HasSubstr("has no function streamgage_float_triad"));
}

#endif

}  // namespace
}  // namespace streamgage::engine
