#include "streamgage/topology/caches/caches.hpp"

#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"

namespace streamgage {
namespace {

TEST(CacheGroups, HoldInstancesThatAreTheSameInTheirOrder) {
  const auto caches = group_caches({{2, "unified", kMiB, 64, {{2, 3}}},
                                    {1, "instruction", 65536, 64, {{0, 1}}},
                                    {1, "data", 32768, 64, {{0, 1}}},
                                    {2, "unified", kMiB, 64, {{0, 1}}},
                                    {2, "unified", 2 * kMiB, 64, {{4}}}});
  ASSERT_EQ(caches.size(), 4U);
  EXPECT_EQ(caches[0].kind, "data");
  EXPECT_EQ(caches[1].kind, "instruction");
  EXPECT_EQ(caches[2].bytes, 2 * kMiB);
  EXPECT_EQ(caches[3].shared_by, (std::vector<CpuList>{{2, 3}, {0, 1}}));
}

TEST(LastLevelCache, IsNoInstructionCacheAndNoneOfUnknownSize) {
  Machine machine;
  machine.caches = {{1, "data", 32768, 64, {{0}}},
                    {2, "instruction", kMiB, 64, {{0}}},
                    {3, "unified", 0, 64, {{0}}}};
  EXPECT_EQ(last_level_cache_bytes(machine, {0}), 32768U);
  EXPECT_EQ(last_level_cache_bytes(machine, {1}), 0U);
}

}  // namespace
}  // namespace streamgage
