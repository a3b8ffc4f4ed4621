#include "topology/affinity_at_start.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "topology/allowed_cpus.hpp"
#include "topology/host/fake_tree.hpp"

namespace streamgage {
namespace {

constexpr const char* kExpectedMask = "STREAMGAGE_TEST_MASK";

TEST(AffinityAtStart, HoldsAllThatTheProcessMayUseNow) {
  const auto start = affinity_mask_at_start();
  ASSERT_TRUE(start.has_value());
  const auto now = affinity_mask();
  ASSERT_TRUE(now.has_value());
  EXPECT_GE(start->size(), now->size());
  if (const char* expected = std::getenv(kExpectedMask); expected != nullptr) {
    EXPECT_EQ(format_cpu_list(*start), expected);
  }
}

// Runs this program in a new process; whether it passed.
bool passes_in_a_new_process(std::string argument) {
  std::string program = "/proc/self/exe";
  std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  pid_t child = 0;
  int status = -1;
  return posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) == 0 &&
         waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(AffinityAtStart, IsNotNarrowedByOpenMp) {
  if (!passes_in_a_new_process("--help")) {
    GTEST_SKIP() << "an emulated program may not be able to start itself";
  }
  const EnvironmentGuard expected(kExpectedMask, format_cpu_list(affinity_mask().value()));
  const NoOpenMpBinding unset;
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES"}) {
    const EnvironmentGuard binds(name, std::string(name) == "OMP_PLACES" ? "cores" : "close");
    EXPECT_TRUE(
        passes_in_a_new_process("--gtest_filter=AffinityAtStart.HoldsAllThatTheProcessMayUseNow"))
        << name;
  }
}

}  // namespace
}  // namespace streamgage
