#include "streamgage/topology/allowed_cpus.hpp"

#include <sched.h>

#include <gtest/gtest.h>

#include "streamgage/topology/affinity_at_start.hpp"
#include "streamgage/topology/sources/topology.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

CpuList mask_of_this_thread() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  EXPECT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  CpuList cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) {
      cpus.push_back(cpu);
    }
  }
  return cpus;
}

// Binds this thread to one CPU, and undoes it at the end.
class ScopedMask {
 public:
  explicit ScopedMask(int cpu) {
    CPU_ZERO(&before_);
    EXPECT_EQ(sched_getaffinity(0, sizeof before_, &before_), 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    EXPECT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  }
  ~ScopedMask() { sched_setaffinity(0, sizeof before_, &before_); }
  ScopedMask(const ScopedMask&) = delete;
  ScopedMask(ScopedMask&&) = delete;
  ScopedMask& operator=(const ScopedMask&) = delete;
  ScopedMask& operator=(ScopedMask&&) = delete;

 private:
  cpu_set_t before_{};
};

TEST(AllowedCpus, AreTheKernelsMaskOnThisSystem) {
  const NoOpenMpBinding unset;
  EXPECT_EQ(affinity_mask().value(), mask_of_this_thread());
  const auto topology = find_topology({});
  ASSERT_TRUE(topology.has_value());
  EXPECT_EQ(find_allowed_cpus(*topology).value(), mask_of_this_thread());
}

TEST(AllowedCpus, ShrinkWithTheAffinityMask) {
  const NoOpenMpBinding unset;
  const CpuList before = mask_of_this_thread();
  const ScopedMask one(before.back());
  const auto topology = find_topology({});
  ASSERT_TRUE(topology.has_value());
  EXPECT_GE(topology->online_cpus.size(), before.size());
  EXPECT_EQ(find_allowed_cpus(*topology).value(), CpuList{before.back()});
}

TEST(AllowedCpus, AreThoseBeforeOpenMpBoundTheInitialThread) {
  const CpuList before = mask_of_this_thread();
  if (before.size() < 2) {
    GTEST_SKIP() << "NOT TESTED: one CPU cannot be narrowed";
  }
  const ScopedMask one(before.back());  // as GNU OpenMP does before main
  const NoOpenMpBinding unset;
  const auto topology = find_topology({});
  ASSERT_TRUE(topology.has_value());
  const EnvironmentGuard binds("OMP_PROC_BIND", "close");
  EXPECT_EQ(find_allowed_cpus(*topology).value(), affinity_mask_at_start().value());
  EXPECT_GT(find_allowed_cpus(*topology)->size(), 1U);
  const EnvironmentGuard does_not_bind("OMP_PROC_BIND", "FALSE");
  EXPECT_EQ(find_allowed_cpus(*topology).value(), CpuList{before.back()});
}

TEST(AllowedCpus, OfAStoredTopologyAreItsOwn) {
  Topology stored;
  stored.is_this_system = false;
  stored.online_cpus = {0, 1, 2, 3, 4, 5};
  stored.allowed_cpus = {0, 1, 2, 3, 5};
  EXPECT_EQ(find_allowed_cpus(stored).value(), stored.allowed_cpus);
}

TEST(AllowedCpus, ThatTheTopologyLacksAreAnError) {
  Topology small;
  small.online_cpus = {1 << 19};
  EXPECT_FALSE(find_allowed_cpus(small).has_value());
}

}  // namespace
}  // namespace streamgage
