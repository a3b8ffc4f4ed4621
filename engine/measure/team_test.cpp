#include "measure/team.hpp"

#include <sched.h>

#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "placement/binding.hpp"
#include "topology/allowed_cpus.hpp"

namespace streamgage {
namespace {

// Counts the elements that it is given.
double count_elements(void* a, const void* /*b*/, const void* /*c*/, const void* /*d*/,
                      double /*s*/, std::int64_t begin, std::int64_t end) {
  *static_cast<std::atomic<std::int64_t>*>(a) += end - begin;
  return static_cast<double>(end - begin);
}

// Moves itself to the CPU whose number it finds in a.
double move_away(void* a, const void* /*b*/, const void* /*c*/, const void* /*d*/, double /*s*/,
                 std::int64_t /*begin*/, std::int64_t /*end*/) {
  return bind_this_thread(*static_cast<int*>(a)) ? 1.0 : 0.0;
}

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
  const Timing timing =
      team->time({&count_elements, &elements, nullptr, nullptr, nullptr, 0.0}, ranges);
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
  std::atomic<std::int64_t> elements{0};
  for (int round = 0; round < 20; ++round) {
    (void)team->time({&count_elements, &elements, nullptr, nullptr, nullptr, 0.0},
                     partition(1000, 8, team->size()));
  }
  EXPECT_EQ(elements, 20'000);
}

TEST_F(Teams, AThreadThatMovesMeanwhileIsSeen) {
  ASSERT_GE(allowed_.size(), 2U) << "this test needs two CPUs";
  const auto team = Team::assemble({PlacementKind::kCpus, 1, {allowed_[0]}});
  ASSERT_TRUE(team);
  int elsewhere = allowed_[1];
  const Timing moving =
      team->time({&move_away, &elsewhere, nullptr, nullptr, nullptr, 0.0}, {{0, 1}});
  EXPECT_EQ(moving.value, 1.0);
  EXPECT_EQ(moving.cpus_start, CpuList{allowed_[0]});
  EXPECT_EQ(moving.cpus_end, CpuList{allowed_[1]});
  EXPECT_EQ(moving.moved, 1);
  // From then on it stays on one CPU, but not on its own.
  const Timing away =
      team->time({&move_away, &elsewhere, nullptr, nullptr, nullptr, 0.0}, {{0, 1}});
  EXPECT_EQ(away.moved, 1);
}

TEST_F(Teams, ACpuThatCannotBeHadIsAnError) {
  const auto team = Team::assemble({PlacementKind::kCpus, 1, {100'000}});
  ASSERT_FALSE(team);
  EXPECT_THAT(team.error().message, testing::HasSubstr("CPU 100000"));
}

TEST(Team, KnowsWhichLibraryRunsItsThreads) {
  const auto library = openmp_library();
#if STREAMGAGE_DLOPEN
  ASSERT_TRUE(library);
  EXPECT_THAT(*library, testing::HasSubstr("omp"));
#else
  EXPECT_FALSE(library);
#endif
}

}  // namespace
}  // namespace streamgage
