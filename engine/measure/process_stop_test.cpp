#include "measure/process_stop.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>

#include <gtest/gtest.h>

#include "measure/session.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_session.hpp"
#include "streamgage/base/testing/new_process.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage::engine {
namespace {

// Stops this process for a second, and returns when it goes on.
void stop_this_process() {
  const pid_t process = getpid();
  const pid_t child = fork();
  if (child == 0) {  // of a program with threads: nothing but system calls
    const timespec stop{1, 0};
    kill(process, SIGSTOP);
    nanosleep(&stop, nullptr);
    kill(process, SIGCONT);
    _exit(0);
  }
  while (waitpid(child, nullptr, 0) != child) {
  }
}

TEST(ProcessStop, IsTheTimeInWhichEvenTheBusiestThreadNeitherRanNorWaited) {
  // One thread waits for the others, which wait for a CPU.
  EXPECT_NEAR(idle_seconds(4.0, {{7, 1.0}, {8, 2.0}}, {{7, 1.1}, {8, 3.0}}), 3.0, 1e-9);
  EXPECT_EQ(idle_seconds(4.0, {{7, 1.0}}, {{7, 5.1}}), 0.0);
  EXPECT_NEAR(idle_seconds(4.0, {{7, 1.0}}, {{7, 1.0}, {8, 9.0}}), 4.0, 1e-9);  // a new one
}

TEST(ProcessStop, NothingIsBlamedWhereTheKernelDoesNotReportIt) {
  EXPECT_EQ(idle_seconds(4.0, {}, {}), 0.0);
  EXPECT_EQ(idle_seconds(4.0, {}, {{7, 1.0}}), 0.0);
}

TEST(ProcessStop, ThreadsAreReadFromTheKernelsFiles) {
  const FakeTree tree;
  EXPECT_TRUE(busy_seconds_of_threads(tree.roots().proc).empty());
  tree.write("proc/self/task/41/schedstat", "7000000000 1500000000 42\n");
  tree.write("proc/self/task/42/schedstat", "\n");
  EXPECT_EQ(busy_seconds_of_threads(tree.roots().proc), (ThreadSeconds{{41, 8.5}}));
}

// The handler stays for the rest of the process, so each test has one of its own.
TEST(ProcessStopDeathTest, ItsTimeIsInTheRecordOfTheEnd) {
  if (!can_start_itself()) {
    GTEST_SKIP() << "EMULATED: a program may not be able to start itself";
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fork would lose the OpenMP threads
  const auto measure_after_a_stop = [] {
    watch_process_stops();
    stop_this_process();
    RecordList kept;
    const auto outcome = run_session(small_machine(), small_plan(), kept);
    const double seconds = kept.of("end").front()["paused_seconds"].get<double>();
    std::_Exit(outcome && seconds >= 0.5 ? 7 : 1);
  };
  EXPECT_EXIT(measure_after_a_stop(), testing::ExitedWithCode(7), "");
}

TEST(ProcessStopDeathTest, ASignalToGoOnIsNoStop) {
  if (!can_start_itself()) {
    GTEST_SKIP() << "EMULATED: a program may not be able to start itself";
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto go_on = [] {
    const Instant start = now();
    watch_process_stops();
    (void)std::raise(SIGCONT);
    look_for_stops();
    // A hypervisor that takes the CPU for so long cannot be told from a stop.
    const bool was_held_up = seconds_between(start, now()) >= 0.5;
    std::_Exit(stopped_seconds() == 0.0 || was_held_up ? 7 : 1);
  };
  EXPECT_EXIT(go_on(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace streamgage::engine
