#include "measure/course.hpp"

#include <gtest/gtest.h>

#include "measure/expectation.hpp"

namespace streamgage {
namespace {

TEST(Course, ASampleOfAMillisecondIsLongEnough) {
  EXPECT_EQ(more_passes(1, 1e-3), std::nullopt);
  EXPECT_EQ(more_passes(1, 5.0), std::nullopt);
}

TEST(Course, AShorterOneGetsAnOddNumberOfPassesThatAreEnough) {
  EXPECT_EQ(more_passes(1, 0.5e-3), 3);
  EXPECT_EQ(more_passes(3, 0.1e-3), 39);
}

TEST(Course, OneStepIsNoMoreThanSixtyFourfoldAndKeepsResultsExact) {
  EXPECT_EQ(more_passes(1, 0.0), 65);
  EXPECT_EQ(more_passes(2047, 1e-6), Expectation::kMostPasses);
  EXPECT_EQ(more_passes(Expectation::kMostPasses, 1e-6), std::nullopt);
}

}  // namespace
}  // namespace streamgage
