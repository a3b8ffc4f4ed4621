#include "measure/blocks.hpp"

#include <chrono>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/catalogue.hpp"

namespace streamgage::engine {
namespace {

using std::chrono::milliseconds;

// What became of a run whose samples take that long, the first of which is a warm-up.
struct Blocks {
  int measured = 0;
  int renewed = 0;
};

// By a clock that only the samples move, so that no load of the machine changes what comes out.
Blocks measure(const Sampling& sampling, milliseconds sample, double touch_seconds) {
  std::vector<Course> courses(1);
  courses[0].variant.kernel = find_kernel("triad").value();
  Blocks blocks;
  Instant time;
  const BlockSteps steps{
      .measure_sample = [&](Course& course) -> Step {
        time += sample;
        take_sample(course, 1.0);
        ++blocks.measured;
        return {};
      },
      .after_block = []() -> Step { return {}; },
      .renew_arrays = [&]() -> Step {
        ++blocks.renewed;
        return {};
      },
      .touch_seconds = [=] { return touch_seconds; },
      .clock = [&] { return time; },
  };
  BlocksSoFar so_far;
  EXPECT_TRUE(measure_blocks(sampling, 1, courses, steps, so_far));
  return blocks;
}

constexpr int kNever = 1'000'000;  // blocks

TEST(Blocks, ThatTakeLongHaveFreshArraysEach) {
  // A block takes more than a twelfth of the budget.
  const Blocks slow = measure({kNever, 1, kNever, 0.24, 100}, milliseconds(21), 0.0);
  EXPECT_GT(slow.measured, 10);
  EXPECT_EQ(slow.renewed, slow.measured - 2);  // not after the warm-up, nor after the last
}

TEST(Blocks, ThatTakeLittleKeepTheirArraysForAsManyAsWereAskedFor) {
  const Blocks quick = measure({9, 1, 9, 1000.0, 3}, milliseconds(0), 0.0);
  EXPECT_EQ(quick.measured, 10);
  EXPECT_EQ(quick.renewed, 2);
}

TEST(Blocks, KeepTheirArraysForTenTimesTheirTouch) {
  // After the warm-up and three more blocks, which are 40 ms, the touch of 4.5 ms wants another.
  const Blocks quick = measure({9, 1, 9, 1000.0, 3}, milliseconds(10), 0.0045);
  EXPECT_EQ(quick.measured, 10);
  EXPECT_EQ(quick.renewed, 1);
}

TEST(Blocks, KeepArraysWhoseTouchWouldTakeMostOfTheTime) {
  const Blocks dear = measure({kNever, 1, kNever, 0.24, 100}, milliseconds(20), 9.0);
  EXPECT_GT(dear.measured, 10);
  EXPECT_EQ(dear.renewed, 0);
}

}  // namespace
}  // namespace streamgage::engine
