#include "streamgage/clock/core_clock.hpp"

#include <gtest/gtest.h>

namespace streamgage {
namespace {

TEST(CoreClock, IsThatOfAProcessor) {
  const auto hertz = measure_core_clock();
#if defined(__x86_64__) || defined(__aarch64__)
  ASSERT_TRUE(hertz);
  // An emulator is slower than any processor.
  EXPECT_GT(*hertz, 1e6);
  EXPECT_LT(*hertz, 1e10);
#else
  EXPECT_FALSE(hertz);
#endif
}

}  // namespace
}  // namespace streamgage
