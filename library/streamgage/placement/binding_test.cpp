#include "streamgage/placement/binding.hpp"

#include <sched.h>

#include <climits>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage {
namespace {

TEST(Binding, ABoundThreadRunsOnThatCpuAndItsMaskSaysSo) {
  const CpuList allowed = affinity_mask().value();
  for (const int cpu : allowed) {
    std::thread([cpu] {
      ASSERT_TRUE(bind_this_thread(cpu));
      EXPECT_EQ(sched_getcpu(), cpu);
      EXPECT_THAT(affinity_mask().value(), testing::ElementsAre(cpu));
    }).join();
  }
}

TEST(Binding, AThreadThatWasBoundGetsAllItsCpusBack) {
  const CpuList allowed = affinity_mask().value();
  std::thread([&allowed] {
    ASSERT_TRUE(bind_this_thread(allowed.front()));
    ASSERT_TRUE(bind_this_thread(allowed));
    EXPECT_EQ(affinity_mask().value(), allowed);
  }).join();
}

TEST(Binding, ACpuThatDoesNotExistIsAnErrorThatNamesIt) {
  for (const int cpu : {100'000, -1, INT_MIN, INT_MAX, INT_MAX - 1}) {
    const auto bound = bind_this_thread(cpu);
    ASSERT_FALSE(bound);
    EXPECT_THAT(bound.error().message, testing::HasSubstr(fmt::format("CPU {}:", cpu)));
  }
}

}  // namespace
}  // namespace streamgage
