#include "streamgage/memory/partition.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"

namespace streamgage {
namespace {

TEST(Partition, CoversEveryElementExactlyOnce) {
  for (const std::int64_t elements : {0, 1, 2, 15, 16, 17, 1000, 4096, 1'000'003}) {
    for (const int parts : {1, 2, 3, 7, 64, 1024}) {
      const auto ranges = partition(elements, 8, parts);
      ASSERT_EQ(ranges.size(), static_cast<std::size_t>(parts));
      std::int64_t next = 0;
      for (const Range& range : ranges) {
        EXPECT_EQ(range.begin, next);
        EXPECT_GE(range.end, range.begin);
        next = range.end;
      }
      EXPECT_EQ(next, elements);
    }
  }
}

TEST(Partition, TakesElementsOfAnySize) {
  for (const std::size_t bytes : {1UL, 3UL, 128UL, 129UL, 256UL, 4097UL, 1UL << 22U, SIZE_MAX}) {
    for (const std::int64_t elements : {1L, 7L, 100L, 100'000L, INT64_MAX}) {
      for (const int parts : {1, 2, 7}) {
        std::int64_t next = 0;
        for (const Range& range : partition(elements, bytes, parts)) {
          EXPECT_EQ(range.begin, next);
          EXPECT_GE(range.end, range.begin);
          next = range.end;
        }
        EXPECT_EQ(next, elements);
      }
    }
  }
}

TEST(Partition, MakesOnePartOfMoreThanFitIntoMemory) {
  const Range last = part_of(INT64_MAX, 8, INT32_MAX, INT32_MAX - 1);
  EXPECT_EQ(last.end, INT64_MAX);
  EXPECT_LT(last.begin, last.end);
}

TEST(Partition, NoThreadIsIdleWhereThereIsAnElementForEach) {
  for (const std::int64_t elements : {7, 20, 100, 900, 10'000}) {
    for (const Range& range : partition(elements, 8, 7)) {
      EXPECT_GT(range.size(), 0) << elements;
    }
  }
}

TEST(Partition, LargePartsBeginOnHugePages) {
  const std::int64_t elements = 3 * static_cast<std::int64_t>(kGiB) / 8 + 5;
  for (const Range& range : partition(elements, 8, 3)) {
    EXPECT_EQ(static_cast<std::uint64_t>(range.begin) * 8 % (2 * kMiB), 0U);
  }
}

TEST(Partition, PartsDifferByAtMostOneInAHundred) {
  for (const int parts : {2, 3, 7, 48, 128}) {
    for (const std::int64_t elements : {10'000'019, 134'217'728, 999'999'937}) {
      const auto ranges = partition(elements, 8, parts);
      const double even = static_cast<double>(elements) / parts;
      for (const Range& range : ranges) {
        EXPECT_NEAR(static_cast<double>(range.size()), even, even / 100) << parts;
      }
    }
  }
}

}  // namespace
}  // namespace streamgage
