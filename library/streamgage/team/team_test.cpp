#include "streamgage/team/team.hpp"

#include <sched.h>

#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/memory/partition.hpp"
#include "streamgage/placement/binding.hpp"
#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage {
namespace {

class Teams : public testing::Test {
 protected:
  // A team binds the thread that runs the tests as well: its mask is put back.
  void SetUp() override { ASSERT_EQ(sched_getaffinity(0, sizeof mask_, &mask_), 0); }
  void TearDown() override { ASSERT_EQ(sched_setaffinity(0, sizeof mask_, &mask_), 0); }
  const CpuList allowed_ = affinity_mask().value();
  cpu_set_t mask_{};
};

TEST_F(Teams, EveryThreadIsBoundToItsOwnCpuAndProvesIt) {
  const auto team =
      Team::assemble({PlacementKind::kCpus, static_cast<int>(allowed_.size()), allowed_});
  ASSERT_TRUE(team);
  EXPECT_EQ(team->size(), static_cast<int>(allowed_.size()));
  EXPECT_EQ(team->cpus(), allowed_);
  EXPECT_TRUE(team->bound());
  std::atomic<std::int64_t> elements{0};
  const auto ranges = partition(1000, 8, team->size());
  const Timing timing = team->time({[&](int thread) {
    const std::int64_t own = ranges[static_cast<std::size_t>(thread)].size();
    elements += own;
    return static_cast<double>(own);
  }});
  EXPECT_EQ(elements, 1000);
  EXPECT_EQ(timing.value, 1000.0);
  EXPECT_GT(timing.seconds, 0.0);
  EXPECT_EQ(timing.cpus_start, allowed_);
  EXPECT_EQ(timing.cpus_end, allowed_);
  EXPECT_EQ(timing.moved, 0);
}

// Work for one CPU can therefore be called without the team.
TEST_F(Teams, TheFirstThreadIsTheOneThatAssembledIt) {
  const auto team = Team::assemble({PlacementKind::kCpus, 1, {allowed_.back()}});
  ASSERT_TRUE(team);
  std::thread::id first;
  team->each([&first](int thread) { first = thread == 0 ? std::this_thread::get_id() : first; });
  EXPECT_EQ(first, std::this_thread::get_id());
  EXPECT_EQ(affinity_mask().value(), CpuList{allowed_.back()});
}

TEST_F(Teams, MoreThreadsThanCpusStillGetThroughTheBarrier) {
  const auto team =
      Team::assemble({PlacementKind::kNone, 4 * static_cast<int>(allowed_.size()), {}});
  ASSERT_TRUE(team);
  std::atomic<int> calls{0};
  for (int round = 0; round < 20; ++round) {
    (void)team->time({[&calls](int /*thread*/) {
      ++calls;
      return 0.0;
    }});
  }
  EXPECT_EQ(calls, 20 * team->size());
}

TEST_F(Teams, AThreadThatMovesMeanwhileIsSeen) {
  if (allowed_.size() < 2) {
    GTEST_SKIP() << "NOT TESTED: one CPU has no other to move to";
  }
  const auto team = Team::assemble({PlacementKind::kCpus, 1, {allowed_[0]}});
  ASSERT_TRUE(team);
  const TimedWork move_away{
      [&](int /*thread*/) { return bind_this_thread(allowed_[1]) ? 1.0 : 0.0; }};
  const Timing moving = team->time(move_away);
  EXPECT_EQ(moving.value, 1.0);
  EXPECT_EQ(moving.cpus_start, CpuList{allowed_[0]});
  EXPECT_EQ(moving.cpus_end, CpuList{allowed_[1]});
  EXPECT_EQ(moving.moved, 1);
  // From then on it stays on one CPU, but not on its own.
  const Timing away = team->time(move_away);
  EXPECT_EQ(away.moved, 1);
}

TEST_F(Teams, WhatGoesBeforeAndAfterIsOnTheSameThreadAndNotTimed) {
  const auto team =
      Team::assemble({PlacementKind::kCpus, static_cast<int>(allowed_.size()), allowed_});
  ASSERT_TRUE(team);
  std::vector<std::vector<std::pair<char, Instant>>> steps(static_cast<std::size_t>(team->size()));
  const auto note = [&](int thread, char step) {
    steps[static_cast<std::size_t>(thread)].emplace_back(step, now());
  };
  const Timing timing =
      team->time({[&](int thread) {
                    note(thread, 'r');
                    return 0.0;
                  },
                  [&](int thread) { note(thread, 'b'); }, [&](int thread) { note(thread, 'a'); }});
  for (const auto& own : steps) {
    ASSERT_EQ(own.size(), 3U);
    EXPECT_EQ(own[0].first, 'b');
    EXPECT_LE(own[0].second, timing.first);
    EXPECT_EQ(own[1].first, 'r');
    EXPECT_GE(own[1].second, timing.first);
    EXPECT_LE(own[1].second, timing.last);
    EXPECT_EQ(own[2].first, 'a');
  }
}

TEST_F(Teams, ACpuThatCannotBeHadIsAnError) {
  const auto team = Team::assemble({PlacementKind::kCpus, 1, {100'000}});
  ASSERT_FALSE(team);
  EXPECT_THAT(team.error().message, testing::HasSubstr("CPU 100000"));
}

}  // namespace
}  // namespace streamgage
