#include "environment/cpu_time_trial.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage::engine {
namespace {

TEST(CpuTimeTrial, GivesNoThreadMoreTimeThanPassed) {
  const Machine machine = discover_machine().value();
  const CpuTimeTrial trial = try_cpu_time(machine, 0.05);
  EXPECT_EQ(trial.threads, static_cast<int>(machine.allowed_cpus.size()));
  EXPECT_GE(trial.seconds, 0.05);
  EXPECT_GT(trial.cpu_seconds, 0.0);
  EXPECT_LE(trial.cpu_seconds, trial.threads * trial.seconds);
}

TEST(CpuTimeTrial, DoesNotGuessWhatTheKernelDoesNotReport) {
  const FakeTree tree;
  EXPECT_FALSE(
      record_of(try_cpu_time(discover_machine().value(), 0.01, tree.roots())).idle_seconds);
}

}  // namespace
}  // namespace streamgage::engine
