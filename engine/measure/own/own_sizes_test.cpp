#include "measure/own/own_sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

// Rows of 10 of a float grid with a halo, and a double for every second cell.
void declare(OwnKernel& kernel) {
  kernel.name = "rows";
  kernel.grain = 10;
  OwnArray grid;
  grid.type = ArrayType::kFloat;
  grid.extra = 20;
  OwnArray coarse;
  coarse.per_iteration = 0.5;
  coarse.type = ArrayType::kDouble;
  kernel.arrays = {grid, coarse};
}

TEST(OwnSizes, IterationsAreWholeGrainsOfWhichTheLargestArrayFits) {
  OwnKernel kernel;
  declare(kernel);
  // 4 bytes an iteration and 80 more.
  EXPECT_EQ(iterations_of_array(kernel, 480).value(), 100);
  EXPECT_EQ(iterations_of_array(kernel, 519).value(), 100);
  EXPECT_EQ(largest_array_bytes(kernel, 100), 480U);
  EXPECT_EQ(all_arrays_bytes(kernel, 100), 880U);
  EXPECT_EQ(iterations_of_set(kernel, 880).value(), 100);
  EXPECT_EQ(arrays_worth(kernel), 2);
}

TEST(OwnSizes, TooFewBytesForAGrainAreRefused) {
  OwnKernel kernel;
  declare(kernel);
  const auto none = iterations_of_array(kernel, 119);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().status, ExitStatus::kUsage);
  EXPECT_THAT(none.error().message, HasSubstr("step of 10 iterations needs 120"));
}

TEST(OwnSizes, PartsAreWholeGrainsAndCoverAllIterations) {
  OwnKernel kernel;
  declare(kernel);
  for (const std::int64_t iterations : {10, 20, 70, 1230, 100'000}) {
    for (const int parts : {1, 2, 3, 16}) {
      std::int64_t at = 0;
      for (const Range& range : partition_iterations(kernel, iterations, parts)) {
        EXPECT_EQ(range.begin, at);
        EXPECT_EQ(range.begin % kernel.grain, 0);
        at = range.end;
      }
      EXPECT_EQ(at, iterations);
    }
  }
}

TEST(OwnSizes, ATriadIsDividedAsThatOfTheCatalogue) {
  OwnKernel kernel;
  kernel.arrays.resize(3);
  const auto own = partition_iterations(kernel, 1'000'003, 3);
  const auto catalogue = partition(1'000'003, 8, 3);
  for (std::size_t part = 0; part < own.size(); ++part) {
    EXPECT_EQ(own[part].begin, catalogue[part].begin);
    EXPECT_EQ(own[part].end, catalogue[part].end);
  }
}

}  // namespace
}  // namespace streamgage::engine
