#include "measure/stop_signal.hpp"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "streamgage/base/testing/new_process.hpp"

namespace streamgage::engine {
namespace {

[[noreturn]] void look_at_no_signal() {
  for (;;) {
    pause();
  }
}

// In processes of their own, which end.
class StopSignalDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_start_itself()) {
      GTEST_SKIP() << "EMULATED: a program may not be able to start itself";
    }
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(StopSignalDeathTest, WhatLooksAtNoSignalIsEnded) {
  const auto search = [] {
    watch_stop_signals();
    (void)std::raise(SIGINT);
    look_at_no_signal();
  };
  EXPECT_EXIT(search(), testing::ExitedWithCode(130), "");
}

TEST_F(StopSignalDeathTest, ARunThatLooksAtNoSignalHasItsLastWords) {
  const auto run = [] {
    watch_stop_signals();
    const LastWords words([](int signal) { (void)std::fprintf(stderr, "ended by %d", signal); });
    (void)std::raise(SIGTERM);
    look_at_no_signal();
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(143), "ended by 15");
}

TEST_F(StopSignalDeathTest, ARunThatEndsByItselfHasNoOtherLastWords) {
  const auto run = [] {
    watch_stop_signals();
    LastWords words([](int /*signal*/) { std::_Exit(99); });
    words.keep();
    (void)std::raise(SIGTERM);
    look_at_no_signal();
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(143), "");
}

TEST_F(StopSignalDeathTest, AnotherEndMayBeAskedFor) {
  const auto run = [] {
    end_overdue_runs_by([](int status) { std::_Exit(status - 100); });
    watch_stop_signals();
    (void)std::raise(SIGTERM);
    look_at_no_signal();
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(43), "");
}

// With standard error as the one end of a pipe whose other end is closed, or not. A process that
// goes on is ended after `most_seconds`.
void lose_front(const char* variable, unsigned most_seconds) {
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0 || dup2(pipe[1], STDERR_FILENO) < 0) {
    std::_Exit(99);
  }
  watch_front(variable);
  close(pipe[0]);
  alarm(most_seconds);
  look_at_no_signal();
}

TEST_F(StopSignalDeathTest, WhatStartedTheProgramIsNotOutlived) {
  EXPECT_EXIT(lose_front("stderr", 300), testing::ExitedWithCode(143), "");
}

TEST_F(StopSignalDeathTest, WithoutTheVariableTheReaderOfMessagesMayGo) {
  EXPECT_EXIT(lose_front(nullptr, 3), testing::KilledBySignal(SIGALRM), "");
}

}  // namespace
}  // namespace streamgage::engine
