#include "node/deadline.hpp"

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

TEST(DeadlineDeathTest, EndsNothingThatIsOverBefore) {
  const auto finish = [] {
    { const Deadline deadline(0.05, "nothing is known", kStatus); }
    usleep(200'000);
    _exit(0);
  };
  EXPECT_EXIT(finish(), testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace streamgage::engine
