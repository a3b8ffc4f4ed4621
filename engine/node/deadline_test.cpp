#include "node/deadline.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

constexpr int kStatus = 3;

TEST(DeadlineDeathTest, EndsWhatLooksAtNothingElse) {
  const auto hang = [] {
    const Deadline deadline(0.01, "nothing is known", kStatus);
    for (;;) {
      pause();
    }
  };
  EXPECT_EXIT(hang(), testing::ExitedWithCode(kStatus),
              "^streamgage-engine: nothing is known[.]\n$");
}

TEST(DeadlineDeathTest, ThatHasPassedEndsAtOnce) {
  const auto hang = [] {
    const Deadline deadline(-7.0, "nothing is known", kStatus);
    for (;;) {
      pause();
    }
  };
  EXPECT_EXIT(hang(), testing::ExitedWithCode(kStatus), "nothing is known");
}

TEST(Deadline, EndsNothingThatIsOverBefore) {
  itimerval timer{};
  {
    const Deadline deadline(3600.0, "nothing is known", kStatus);
    ASSERT_EQ(getitimer(ITIMER_REAL, &timer), 0);
    EXPECT_GT(timer.it_value.tv_sec, 3000);
  }
  ASSERT_EQ(getitimer(ITIMER_REAL, &timer), 0);
  EXPECT_EQ(timer.it_value.tv_sec, 0);
  EXPECT_EQ(timer.it_value.tv_usec, 0);
}

}  // namespace
}  // namespace streamgage::engine
