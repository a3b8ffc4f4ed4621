#include "measure/blocks.hpp"

#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/catalogue.hpp"

namespace streamgage::engine {
namespace {

// What became of a run whose samples take that long, the first of which is a warm-up.
struct Blocks {
  int measured = 0;
  int renewed = 0;
};

Blocks measure(const Sampling& sampling, std::chrono::milliseconds sample, double touch_seconds) {
  std::vector<Course> courses(1);
  courses[0].variant.kernel = find_kernel("triad").value();
  Blocks blocks;
  const BlockSteps steps{
      .measure_sample = [&](Course& course) -> Step {
        std::this_thread::sleep_for(sample);
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
  };
  BlocksSoFar so_far;
  EXPECT_TRUE(measure_blocks(sampling, 1, courses, steps, so_far));
  return blocks;
}

constexpr int kNever = 1'000'000;  // blocks

TEST(Blocks, ThatTakeLongHaveFreshArraysEach) {
  // A block takes a twelfth of the budget, or longer.
  const Blocks slow = measure({kNever, 1, kNever, 0.24, 100}, std::chrono::milliseconds(20), 0.0);
  EXPECT_EQ(slow.renewed, slow.measured - 2);  // not after the warm-up, nor after the last
}

TEST(Blocks, ThatTakeLittleKeepTheirArraysForAsManyAsWereAskedFor) {
  const Blocks quick = measure({9, 1, 9, 1000.0, 3}, std::chrono::milliseconds(0), 0.0);
  EXPECT_EQ(quick.measured, 10);
  EXPECT_EQ(quick.renewed, 2);
}

TEST(Blocks, KeepArraysWhoseTouchWouldTakeMostOfTheTime) {
  const Blocks dear = measure({kNever, 1, kNever, 0.24, 100}, std::chrono::milliseconds(20), 9.0);
  EXPECT_EQ(dear.renewed, 0);
}

}  // namespace
}  // namespace streamgage::engine
