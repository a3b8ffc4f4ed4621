#include "streamgage/memory/memory_budget.hpp"

#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"

namespace streamgage {
namespace {

TEST(MemoryBudget, TheStrictestLimitCounts) {
  const FreeMemory machine = free_memory({kGiB, 2 * kGiB, 3 * kGiB, {1}});
  EXPECT_EQ(machine.bytes, kGiB);
  EXPECT_EQ(machine.limited_by, "available");
  EXPECT_EQ(machine.where, "");
  const FreeMemory cgroup = free_memory({3 * kGiB, kGiB, 2 * kGiB, {1}});
  EXPECT_EQ(cgroup.bytes, kGiB);
  EXPECT_EQ(cgroup.limited_by, "cgroup");
  EXPECT_EQ(cgroup.where, " under the cgroup's limit");
  const FreeMemory nodes = free_memory({3 * kGiB, 2 * kGiB, kGiB, {0, 1, 3}});
  EXPECT_EQ(nodes.bytes, kGiB);
  EXPECT_EQ(nodes.limited_by, "nodes");
  EXPECT_EQ(nodes.where, " on nodes 0-1,3");
}

TEST(MemoryBudget, OneNodeIsNamedAsOne) { EXPECT_EQ(name_nodes({2}), "node 2"); }

}  // namespace
}  // namespace streamgage
