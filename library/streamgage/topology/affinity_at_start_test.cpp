#include "streamgage/topology/affinity_at_start.hpp"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "streamgage/base/testing/new_process.hpp"
#include "streamgage/topology/allowed_cpus.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"

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

TEST(AffinityAtStart, IsNotNarrowedByOpenMp) {
  if (!can_start_itself()) {
    GTEST_SKIP() << "EMULATED: a program may not be able to start itself";
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
