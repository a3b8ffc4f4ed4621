#include "base/json_lines.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(JsonLines, ARecordIsOneWholeLine) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  JsonLines lines(ends[1]);
  ASSERT_TRUE(lines.write({{"record", "sample"}, {"seconds", 0.25}, {"host", "a\xffz\n"}}));
  close(ends[1]);
  std::string text(256, '\0');
  text.resize(static_cast<std::size_t>(read(ends[0], text.data(), text.size())));
  close(ends[0]);
  EXPECT_EQ(text, "{\"record\":\"sample\",\"seconds\":0.25,\"host\":\"a\xef\xbf\xbdz\\n\"}\n");
}

TEST(JsonLines, AFullDeviceIsAnErrorAndNotLostSilently) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  JsonLines lines(full);
  const auto written = lines.write({{"record", "end"}});
  ASSERT_FALSE(written);
  EXPECT_FALSE(lines.write({{"record", "end"}}));
  close(full);
  EXPECT_NE(written.error().message.find("No space left"), std::string::npos);
}

TEST(JsonLines, NothingFollowsTheLastRecord) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  JsonLines lines(ends[1]);
  ASSERT_TRUE(lines.write({{"record", "sample"}}));
  lines.write_last({{"record", "end"}});
  lines.write_last({{"record", "end"}});
  close(ends[1]);
  std::string text(256, '\0');
  text.resize(static_cast<std::size_t>(read(ends[0], text.data(), text.size())));
  close(ends[0]);
  EXPECT_EQ(text, "{\"record\":\"sample\"}\n{\"record\":\"end\"}\n");
}

}  // namespace
}  // namespace streamgage::engine
