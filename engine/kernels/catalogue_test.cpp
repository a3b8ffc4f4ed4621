#include "kernels/catalogue.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(Catalogue, StreamsFourKernelsCountSixteenAndTwentyFourBytes) {
  EXPECT_EQ((*find_kernel("copy"))->nominal_bytes(8), 16U);
  EXPECT_EQ((*find_kernel("scale"))->nominal_bytes(8), 16U);
  EXPECT_EQ((*find_kernel("add"))->nominal_bytes(8), 24U);
  EXPECT_EQ((*find_kernel("triad"))->nominal_bytes(8), 24U);
}

TEST(Catalogue, AKernelThatReadsItsTargetNeverWriteAllocates) {
  for (const char* name : {"update", "daxpy", "sdaxpy", "bracket", "sum", "dot"}) {
    EXPECT_FALSE((*find_kernel(name))->write_allocates()) << name;
  }
  for (const char* name : {"init", "copy", "scale", "add", "triad", "striad"}) {
    EXPECT_TRUE((*find_kernel(name))->write_allocates()) << name;
  }
}

// The formula is text for people; this checks it against the facts next to it.
TEST(Catalogue, TheFormulaReadsWhatTheRowSays) {
  for (const Kernel& kernel : kCatalogue) {
    const std::string formula(kernel.formula);
    const std::string right = formula.substr(formula.find('=') + 1);
    for (const auto& [letter, bit] : {std::pair{'a', kA}, {'b', kB}, {'c', kC}, {'d', kD}}) {
      EXPECT_EQ(right.find(letter) != std::string::npos, (kernel.reads & bit) != 0)
          << kernel.name << " " << letter;
    }
    EXPECT_EQ(formula.front() == 'a', kernel.stores) << kernel.name;
  }
}

TEST(Catalogue, AnUnknownKernelIsRefusedWithTheListOfThoseThereAre) {
  const auto kernel = find_kernel("quad");
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().message, testing::HasSubstr("'quad'"));
  EXPECT_THAT(kernel.error().message, testing::HasSubstr("init, sum, dot, copy"));
}

}  // namespace
}  // namespace streamgage::engine
