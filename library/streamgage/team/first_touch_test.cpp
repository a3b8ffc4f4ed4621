#include "streamgage/team/first_touch.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"
#include "streamgage/memory/pages.hpp"
#include "streamgage/placement/binding.hpp"
#include "streamgage/team/proof.hpp"
#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage {
namespace {

class PlacedTeams : public testing::Test {
 protected:
  // A team binds the thread that runs the tests as well: its mask is put back.
  void SetUp() override { ASSERT_EQ(sched_getaffinity(0, sizeof mask_, &mask_), 0); }
  void TearDown() override { ASSERT_EQ(sched_setaffinity(0, sizeof mask_, &mask_), 0); }
  const CpuList allowed_ = affinity_mask().value();
  const Placement placement_{PlacementKind::kCpus, static_cast<int>(allowed_.size()), allowed_};
  cpu_set_t mask_{};
};

TEST_F(PlacedTeams, ProveThatTheyAreThere) {
  const auto team = Team::assemble(placement_);
  ASSERT_TRUE(team);
  const auto places = prove(*team, placement_);
  ASSERT_TRUE(places) << places.error().message;
  ASSERT_EQ(places->size(), allowed_.size());
  EXPECT_EQ(places->back().cpu, allowed_.back());
  EXPECT_EQ(places->back().mask, CpuList{allowed_.back()});
}

TEST_F(PlacedTeams, AThreadThatWasBoundElsewhereIsNamed) {
  if (allowed_.size() < 2) {
    GTEST_SKIP() << "NOT TESTED: one CPU has no other to be bound to";
  }
  const auto team = Team::assemble(placement_);
  ASSERT_TRUE(team);
  team->each([&](int thread) {
    if (thread == 1) {
      (void)bind_this_thread(allowed_[0]);
    }
  });
  const auto places = prove(*team, placement_);
  ASSERT_FALSE(places);
  EXPECT_THAT(places.error().message, testing::HasSubstr("thread 1 was placed on CPU"));
}

TEST_F(PlacedTeams, WithoutCpusNothingIsProved) {
  const Placement nowhere{PlacementKind::kNone, 1, {}};
  const auto team = Team::assemble(nowhere);
  ASSERT_TRUE(team);
  EXPECT_FALSE(prove(*team, nowhere));
}

TEST_F(PlacedTeams, TouchEveryPageAndSayFromWhere) {
  const auto team = Team::assemble(placement_);
  ASSERT_TRUE(team);
  const auto array = Array::reserve(4 * kMiB + 3, PageSize::kSmall);
  ASSERT_TRUE(array);
  const auto elements = static_cast<std::int64_t>(array->bytes() / 8);
  const auto ranges = partition(elements, 8, team->size());
  const Touch touch = first_touch(*team, *array, ranges, 8);
  EXPECT_EQ(touch.cpus, allowed_);
  const PageNodes pages = nodes_of_pages(*array, {0, elements}, 8, 1024);
  if (!pages.reason) {  // forbidden in a container
    EXPECT_THAT(pages.nodes, testing::Each(testing::Ge(0)));
  }
}

TEST_F(PlacedTeams, ShareArraysByRanges) {
  const auto team = Team::assemble(placement_);
  ASSERT_TRUE(team);
  const auto shared = make_array<double>(*team, 100'000);
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->ranges.size(), allowed_.size());
  EXPECT_EQ(shared->ranges.back().end, 100'000);
  EXPECT_TRUE(std::all_of(shared->data(), shared->data() + 100'000,
                          [](double element) { return element == 0.0; }));
}

TEST_F(PlacedTeams, MoreThanTheAddressSpaceIsAnError) {
  const auto team = Team::assemble(placement_);
  ASSERT_TRUE(team);
  EXPECT_FALSE(make_array<double>(*team, std::int64_t{1} << 57U));
}

}  // namespace
}  // namespace streamgage
