#include "streamgage/team/thread_trial.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "streamgage/base/testing/new_process.hpp"
#include "streamgage/placement/placement.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage {
namespace {

constexpr rlim_t kMostStack = rlim_t{1} << 20U;

// In a process of its own with that limit; 0 where the statement holds. The limit is not lifted
// again, and threads of a test's own would need some of it.
template <class Holds>
int status_under_limit(int resource, rlim_t most, const Holds& holds) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{most, most};
    _exit(setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) == 0 && holds() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(ThreadTrial, ThreadsThatTheSystemGivesAreNoError) {
  EXPECT_TRUE(try_threads(0));
  EXPECT_TRUE(try_threads(7));
}

TEST(ThreadTrial, TooFewThreadsAreAnErrorWithTheirNumber) {
  if (!can_start_itself()) {
    GTEST_SKIP() << "EMULATED: the emulator keeps books of every page of such stacks";
  }
  const int status = status_under_limit(RLIMIT_CORE, 0, [] {
    setenv("OMP_STACKSIZE", "16384G", 1);  // of which no address space has 100
    const auto tried = try_threads(100);
    return !tried &&
           tried.error().message.find("threads, but 100 are needed (") != std::string::npos;
  });
  EXPECT_EQ(status, 0);
}

TEST(ThreadTrial, MoreThreadsThanTheStackOfTheFirstCanStartAreAnError) {
  const int status = status_under_limit(RLIMIT_STACK, kMostStack, [] {
    const auto tried = try_threads(100'000);
    return !tried && tried.error().message.find("ulimit -s") != std::string::npos;
  });
  EXPECT_EQ(status, 0);
}

TEST(ThreadTrial, ATeamThatCannotBeHadIsAnErrorAndNotTheEndOfTheProgram) {
  const int status = status_under_limit(RLIMIT_STACK, kMostStack, [] {
    const auto team = Team::assemble({PlacementKind::kNone, 100'000, {}});
    return !team && team.error().message.find("ulimit -s") != std::string::npos;
  });
  EXPECT_EQ(status, 0);
}

TEST(ThreadTrial, StacksAreAsLargeAsTheVariableAsksFor) {
  EXPECT_EQ(stack_bytes_asked_for(nullptr), std::nullopt);
  EXPECT_EQ(stack_bytes_asked_for("large"), std::nullopt);
  EXPECT_EQ(stack_bytes_asked_for("4096"), 4096U << 10U);
  EXPECT_EQ(stack_bytes_asked_for("64M"), 64U << 20U);
  EXPECT_EQ(stack_bytes_asked_for(" 2 g "), std::size_t{2} << 30U);
  EXPECT_EQ(stack_bytes_asked_for("70000b"), 70000U);
}

}  // namespace
}  // namespace streamgage
