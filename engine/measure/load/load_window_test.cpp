#include "measure/load/load_window.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

constexpr LoadWindow kBatch{.seconds = 0.25, .bytes = 100, .loads = 10};

TEST(QuietWindow, EndsWithEnoughQuietTime) {
  QuietWindow window(0.5);
  EXPECT_FALSE(window.has_moved());
  window.add(kBatch, true);
  EXPECT_FALSE(window.is_full());
  window.add(kBatch, true);
  EXPECT_TRUE(window.is_full());
  EXPECT_TRUE(window.has_moved());
  EXPECT_EQ(window.window().seconds, 0.5);
}

TEST(QuietWindow, CountsOnlyTheQuietTime) {
  QuietWindow window(0.5);
  for (const bool is_quiet : {true, false, false, true}) {
    EXPECT_FALSE(window.is_full());
    window.add(kBatch, is_quiet);
  }
  EXPECT_TRUE(window.is_full());
  EXPECT_EQ(window.window().seconds, 0.5);
  EXPECT_EQ(window.window().bytes, 200U);
  EXPECT_EQ(window.window().loads, 20);
}

TEST(QuietWindow, WaitsFourTimesAsLongAtMost) {
  QuietWindow window(1.0);
  window.add(kBatch, true);
  for (int number = 1; number < 16; ++number) {
    EXPECT_FALSE(window.is_full());
    window.add(kBatch, false);
  }
  EXPECT_TRUE(window.is_full());
  EXPECT_EQ(window.window().seconds, 0.25);
}

TEST(QuietWindow, CountsAllOfItWhereHardlyAnyIsQuiet) {
  QuietWindow window(2.0);
  window.add(kBatch, true);
  for (int number = 1; number < 32; ++number) {
    window.add(kBatch, false);
  }
  EXPECT_TRUE(window.is_full());
  EXPECT_EQ(window.window().seconds, 8.0);
}

WalkMark mark_after(std::chrono::microseconds wall, std::int64_t cpu_nanoseconds) {
  WalkMark mark;
  mark.at += wall;
  mark.cpu_nanoseconds = cpu_nanoseconds;
  return mark;
}

TEST(KeptItsCpu, IsJudgedByTheCpuTime) {
  const WalkMark start = mark_after(std::chrono::microseconds(0), 0);
  const auto after_400_us = [](std::int64_t had) {
    return mark_after(std::chrono::microseconds(400), had);
  };
  EXPECT_TRUE(kept_its_cpu(start, after_400_us(399'000)));
  EXPECT_FALSE(kept_its_cpu(start, after_400_us(100'000)));
  // Ticks of 4 ms.
  EXPECT_TRUE(kept_its_cpu(start, after_400_us(0)));
  EXPECT_TRUE(kept_its_cpu(start, after_400_us(4'000'000)));
}

}  // namespace
}  // namespace streamgage::engine
