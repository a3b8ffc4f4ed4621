#include "streamgage/team/pause.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <ctime>

#include <gtest/gtest.h>

#include "streamgage/placement/placement.hpp"
#include "streamgage/team/team.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

ThreadUse use_at(double seconds, double cpu_seconds, std::int64_t waits, std::int64_t switches = 0,
                 std::int64_t major_faults = 0) {
  const auto nanoseconds = std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
  return {Instant(nanoseconds), cpu_seconds, waits, switches, major_faults};
}

TEST(Pause, IsTheTimeWithoutCpuThatWasNoWaitForOne) {
  EXPECT_NEAR(paused_seconds(use_at(5, 1, 7), use_at(8.02, 1.02, 8), 0.0), 3.0, 1e-9);
  EXPECT_NEAR(paused_seconds(use_at(5, 1, 7), use_at(8.02, 1.02, 8, 2), 0.5), 2.5, 1e-9);
  EXPECT_NEAR(paused_seconds(use_at(5, 1, 7), use_at(8.02, 1.02, 8), std::nullopt), 3.0, 1e-9);
}

TEST(Pause, IsNoneWhereTheThreadDidNotStopByItself) {
  // A hypervisor that takes the CPU, and a program of higher priority.
  EXPECT_EQ(paused_seconds(use_at(5, 1, 7), use_at(8.02, 1.02, 7), 0.0), 0.0);
  EXPECT_EQ(paused_seconds(use_at(5, 1, 7), use_at(8.02, 1.02, 7, 300), 3.0), 0.0);
}

TEST(Pause, IsNoneWhereOtherLoadOrADiskExplainsTheTime) {
  EXPECT_EQ(paused_seconds(use_at(5, 1, 7), use_at(8.02, 1.02, 8, 300), 2.9), 0.0);
  EXPECT_EQ(paused_seconds(use_at(5, 1, 7), use_at(8.02, 1.02, 900, 0, 800), 0.0), 0.0);
  // Not known how long it waited for the CPU that it lost.
  EXPECT_EQ(paused_seconds(use_at(5, 1, 7), use_at(8.02, 1.02, 8, 1), std::nullopt), 0.0);
}

TEST(Pause, IsNotMadeOfTheKernelsOwnShortWaits) {
  EXPECT_EQ(paused_seconds(use_at(5, 1, 7), use_at(5.24, 1.02, 9), 0.0), 0.0);
}

TEST(Pause, TheWaitForACpuIsTheSecondNumberOfTheKernelsFile) {
  const FakeTree tree;
  EXPECT_EQ(queued_seconds(tree.roots().proc), std::nullopt);
  tree.write("proc/thread-self/schedstat", "7000000000 1500000000 42\n");
  EXPECT_EQ(queued_seconds(tree.roots().proc), 1.5);
  tree.write("proc/thread-self/schedstat", "0\n");
  EXPECT_EQ(queued_seconds(tree.roots().proc), std::nullopt);
}

// Stops this process for a second, once it has written a byte to the pipe, and lets it go on.
pid_t start_stopper(const std::array<int, 2>& pipe) {
  const pid_t process = getpid();
  const pid_t child = fork();
  if (child == 0) {  // of a program with threads: nothing but system calls
    char byte = 0;
    const timespec stop{1, 0};
    if (read(pipe[0], &byte, 1) == 1) {
      kill(process, SIGSTOP);
      nanosleep(&stop, nullptr);
      kill(process, SIGCONT);
    }
    _exit(0);
  }
  return child;
}

double compute_until_child_ends(pid_t child) {
  double sum = 0.0;
  while (waitpid(child, nullptr, WNOHANG) == 0) {
    for (int step = 0; step < 100'000; ++step) {
      sum += step;
    }
  }
  return sum;
}

TEST(Pause, ATeamKnowsThatItsProcessWasStoppedAndThatItWasNot) {
  const auto team = Team::assemble({PlacementKind::kNone, 1, {}});
  ASSERT_TRUE(team);
  std::array<int, 2> pipe{};
  ASSERT_EQ(pipe2(pipe.data(), O_CLOEXEC), 0);
  const pid_t child = start_stopper(pipe);
  ASSERT_GT(child, 0);
  const Timing stopped = team->time({[&](int /*thread*/) {
    const bool may_stop = write(pipe[1], "x", 1) == 1;
    return may_stop ? compute_until_child_ends(child) : 0.0;
  }});
  EXPECT_GE(stopped.paused_seconds, kLeastPauseSeconds);
  EXPECT_LT(stopped.paused_seconds, stopped.seconds);
  const Timing after = team->time({[](int /*thread*/) { return 0.0; }});
  EXPECT_EQ(after.paused_seconds, 0.0);
  close(pipe[0]);
  close(pipe[1]);
}

}  // namespace
}  // namespace streamgage
