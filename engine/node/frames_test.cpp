#include "node/frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using testing::EndsWith;
using testing::StartsWith;

TEST(Checksum, IsTheTextAsANumberModuloThePrime) {
  EXPECT_EQ(checksum_of(""), 0U);
  EXPECT_EQ(checksum_of("\x01\x02"), 258U);
  EXPECT_EQ(checksum_of(std::string("\x10\0\0\0\0\0", 6)), 17U);  // 2^44
}

TEST(Frames, HaveTheNodeAtBothEndsAndTheSizeThatBlocksOfLaunchersDivideInto) {
  const std::string frames = in_frames("n6", std::string(161, 'x') + '\n');
  ASSERT_EQ(frames.size(), 2 * kFrameBytes);
  for (std::size_t place : {std::size_t{0}, kFrameBytes}) {
    const std::string frame = frames.substr(place, kFrameBytes);
    EXPECT_THAT(frame, StartsWith("@n6 "));
    EXPECT_THAT(frame, EndsWith(" @n6\n"));
    EXPECT_EQ(std::count(frame.begin(), frame.end(), '\n'), 1);
  }
  EXPECT_THAT(frames, StartsWith("@n6 0/161/"));
  EXPECT_THAT(frames.substr(kFrameBytes), StartsWith("@n6 160/161/"));
}

TEST(Frames, OfLongNamesAreAMultipleAndEmptyLinesHaveNone) {
  EXPECT_EQ(in_frames(std::string(96, 'n'), "\nx\n\n").size(), 2 * kFrameBytes);
  EXPECT_EQ(in_frames("n6", "").size(), 0U);
}

}  // namespace
}  // namespace streamgage::engine
