#include "streamgage/topology/caches/reported_caches.hpp"

#include <unistd.h>

#include <map>

#include <gtest/gtest.h>

#include "streamgage/topology/testing/example_trees.hpp"

namespace streamgage {
namespace {

// Two packages of two cores of two hardware threads.
std::vector<HardwareThread> eight_threads() {
  std::vector<HardwareThread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.push_back({.cpu = i, .core = i / 2, .smt = i % 2, .package = i / 4, .node = 0});
  }
  return threads;
}

CacheOracle oracle(std::map<unsigned long, unsigned long> auxiliary,
                   std::map<int, long> configured) {
  return {[auxiliary = std::move(auxiliary)](unsigned long type) {
            const auto value = auxiliary.find(type);
            return value == auxiliary.end() ? 0UL : value->second;
          },
          [configured = std::move(configured)](int name) {
            const auto value = configured.find(name);
            return value == configured.end() ? -1L : value->second;
          }};
}

TEST(ReportedCaches, AreAbsentWhereNothingReportsThem) {
  EXPECT_TRUE(reported_caches(eight_threads(), oracle({}, {})).empty());
}

TEST(ReportedCaches, AreThoseOfTheAuxiliaryVectorOnRiscV) {
  const auto caches = reported_caches(
      eight_threads(), oracle({{42, 32768}, {43, 0x80040}, {44, 2 << 20}, {45, 0x100040}}, {}));
  ASSERT_EQ(caches.size(), 2U);
  EXPECT_EQ(caches[0].kind, "data");
  EXPECT_EQ(caches[0].bytes, 32768U);
  EXPECT_EQ(caches[0].line_bytes, 64);
  EXPECT_EQ(caches[1].level, 2);
  EXPECT_EQ(caches[1].shared_by, (std::vector<CpuList>{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

#ifdef _SC_LEVEL3_CACHE_SIZE
TEST(ReportedCaches, OfTheThirdLevelAreThePackages) {
  const auto caches =
      reported_caches(eight_threads(), oracle({}, {{_SC_LEVEL1_DCACHE_SIZE, 49152},
                                                   {_SC_LEVEL1_DCACHE_LINESIZE, 64},
                                                   {_SC_LEVEL2_CACHE_SIZE, 0},
                                                   {_SC_LEVEL3_CACHE_SIZE, 32 << 20}}));
  ASSERT_EQ(caches.size(), 2U);
  EXPECT_EQ(caches[0].line_bytes, 64);
  EXPECT_EQ(caches[1].level, 3);
  EXPECT_EQ(caches[1].line_bytes, 0);
  EXPECT_EQ(caches[1].shared_by, (std::vector<CpuList>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
}
#endif

TEST(SharedCaches, OfS390AreThoseWithoutFiles) {
  const SysfsTree tree;
  write_s390(tree);
  std::vector<Cache> caches{{1, "data", 128 << 10, 256, {{0}}}, {2, "data", 2 << 20, 256, {{0}}}};
  add_shared_caches(caches, eight_threads(), tree.roots());
  ASSERT_EQ(caches.size(), 4U);
  EXPECT_EQ(caches[2].level, 3);
  EXPECT_EQ(caches[2].kind, "unified");
  EXPECT_EQ(caches[2].bytes, 64U << 20U);
  EXPECT_EQ(caches[2].line_bytes, 256);
  EXPECT_EQ(caches[2].shared_by, (std::vector<CpuList>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(caches[3].level, 4);
  EXPECT_EQ(caches[3].bytes, 480U << 20U);
}

TEST(SharedCaches, AreNotAddedToAKnownLevelAndNotFromOtherLines) {
  const SysfsTree tree;
  std::vector<Cache> caches{{3, "unified", 1 << 20, 64, {{0}}}};
  for (const char* text :
       {"cache4 : level=3 type=Unified scope=Shared size=65536K\n", "cache size : 512 KB\n",
        "cache4 : level=4 type=Unified scope=Private size=64K\n",
        "cache4 : level=99 type=Unified scope=Shared size=64K\n",
        "cache4 : level=4 type=Unified scope=Shared size=99999999999999999999K\n",
        "cache4 : level=4 type=Unified scope=Shared size=\n", ""}) {
    tree.write("proc/cpuinfo", text);
    add_shared_caches(caches, eight_threads(), tree.roots());
    EXPECT_EQ(caches.size(), 1U) << text;
  }
}

TEST(ReportedCaches, OfThisSystemMakeSense) {
  for (const Cache& cache : reported_caches(eight_threads(), this_systems_oracle())) {
    EXPECT_GT(cache.bytes, 0U);
    EXPECT_GE(cache.line_bytes, 0);
    EXPECT_FALSE(cache.shared_by.empty());
  }
}

}  // namespace
}  // namespace streamgage
