#include "streamgage/topology/caches/reported_caches.hpp"

#include <unistd.h>

#include <map>

#include <gtest/gtest.h>

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

TEST(ReportedCaches, OfThisSystemMakeSense) {
  for (const Cache& cache : reported_caches(eight_threads(), this_systems_oracle())) {
    EXPECT_GT(cache.bytes, 0U);
    EXPECT_GE(cache.line_bytes, 0);
    EXPECT_FALSE(cache.shared_by.empty());
  }
}

}  // namespace
}  // namespace streamgage
