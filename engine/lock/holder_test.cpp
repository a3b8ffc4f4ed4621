#include "lock/holder.hpp"

#include <unistd.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(Holder, IsReadBackFromItsLine) {
  const auto holder = parse_holder(to_line({4711, 4'294'967'294U, "2026-01-31T12:00:00Z"}));
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->process, 4711);
  EXPECT_EQ(holder->user, 4'294'967'294U);
  EXPECT_EQ(holder->since, "2026-01-31T12:00:00Z");
}

TEST(Holder, OfThisProcessIsReadBackAsWell) {
  const auto holder = parse_holder(to_line(this_process()));
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->process, getpid());
  EXPECT_EQ(holder->user, getuid());
}

TEST(Holder, NothingIsBelievedOfATextThatIsNotOurs) {
  for (const char* text : {"", "4711", "4711 1000 now\n", "0 0 2026-01-31T12:00:00Z\n",
                           "4711 1000 2026-01-31T12:00:00Z\nrm -rf /\n",
                           "-1 1000 2026-01-31T12:00:00Z\n", "4711 1000 2026-01-31T12:00:00Z"}) {
    EXPECT_FALSE(parse_holder(text)) << text;
  }
}

TEST(Holder, IsNamedWhereItsUserHasAName) {
  const std::string passwd = testing::TempDir() + "passwd-" + std::to_string(getpid());
  std::ofstream(passwd) << "broken\nroot:x:0:0::/root:/bin/sh\neve:x:1000:1000:Eve,,:/:/bin/sh\n";
  const std::string since = "2026-01-31T12:00:00Z";
  EXPECT_EQ(describe({4711, 1000, since}, passwd), "process 4711 of user eve, since " + since);
  EXPECT_EQ(describe({4711, 100, since}, passwd), "process 4711 of user 100, since " + since);
  EXPECT_EQ(describe({1, 0, since}, "/none"), "process 1 of user 0, since " + since);
  unlink(passwd.c_str());
}

}  // namespace
}  // namespace streamgage::engine
