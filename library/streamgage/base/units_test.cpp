#include "streamgage/base/units.hpp"

#include <gtest/gtest.h>

namespace streamgage {
namespace {

TEST(Units, BytesAreWrittenInTheLargestUnitThatFits) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(kKiB), "1 KiB");
  EXPECT_EQ(format_bytes(kGiB + kGiB / 2), "1536 MiB");
  EXPECT_EQ(format_bytes(1040 * kMiB), "1040 MiB");
  EXPECT_EQ(format_bytes(12 * kGiB + kGiB / 4), "12.3 GiB");
  EXPECT_EQ(format_bytes(4 * kGiB * kKiB), "4 TiB");
}

TEST(Units, OneOfAThingIsNoPlural) {
  EXPECT_EQ(count_of(1, "thread"), "1 thread");
  EXPECT_EQ(count_of(std::size_t{2}, "CPU"), "2 CPUs");
  EXPECT_EQ(count_of(0, "rank"), "0 ranks");
}

}  // namespace
}  // namespace streamgage
