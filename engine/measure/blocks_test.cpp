#include "measure/blocks.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/catalogue.hpp"

namespace streamgage::engine {
namespace {

constexpr int kNever = 1'000'000;  // blocks

// A machine whose clock moves by what is done on it, and by nothing else.
class MadeMachine {
 public:
  // Seconds that an array takes to be moved once, and all of them to be touched: first, and again.
  double array_seconds = 0.01;
  double first_touch_seconds = 0.0;
  double touch_seconds = 0.0;
  double scatter = 0.0;  // share by which samples alternate
  int quiet_every = 1;   // of so many samples one is not disturbed

  void add(const char* kernel, int tier, std::size_t place = 0) {
    Course course;
    course.variant.id = static_cast<int>(courses.size());
    course.variant.kernel = find_kernel(kernel).value();
    course.place = {tier, place};
    courses.push_back(std::move(course));
  }

  // From the moment at which the arrays are touched.
  void measure(const Sampling& sampling, int tiers) {
    const Instant start = clock_;
    pass(first_touch_seconds);
    last_touch_ = first_touch_seconds;
    const BlockSteps steps{
        .measure_sample = [this](Course& course) -> Step {
          const double taken =
              array_seconds * course.variant.kernel->loads() * (++runs_ % 2 == 0 ? 1 + scatter : 1);
          pass(taken);
          if (runs_ % quiet_every != 0) {
            course.disturbed.push_back(taken);
          } else if (take_sample(course, taken)) {
            blocks_of[course.variant.id].insert(so_far.block);
            epochs_of[course.variant.id].insert(renewed);
          }
          return {};
        },
        .after_block = []() -> Step { return {}; },
        .renew_arrays = [this]() -> Step {
          ++renewed;
          pass(touch_seconds);
          last_touch_ = touch_seconds;
          return {};
        },
        .touch_seconds = [this] { return last_touch_; },
        .before_tier = [this](int tier, double /*left*/) -> Step {
          if (tier == before_tier_of) {
            pass(before_tier_seconds);
          }
          return {};
        },
        .after_tier = [this](int tier) -> Step {
          tiers_left.push_back(tier);
          return {};
        },
        .clock = [this] { return clock_; },
    };
    EXPECT_TRUE(measure_blocks({sampling, 1, tiers, start}, courses, steps, so_far));
    seconds = seconds_between(start, clock_);
  }

  [[nodiscard]] std::size_t samples(std::size_t course) const {
    return courses[course].samples.timed().size();
  }

  std::vector<Course> courses;
  std::map<int, std::set<int>> blocks_of;  // with a timed sample of a variant
  std::map<int, std::set<int>> epochs_of;
  std::vector<int> tiers_left;
  int before_tier_of = -1;
  double before_tier_seconds = 0.0;
  int renewed = 0;
  double seconds = 0.0;
  BlocksSoFar so_far;

 private:
  void pass(double seconds_more) {
    clock_ +=
        std::chrono::duration_cast<Instant::duration>(std::chrono::duration<double>(seconds_more));
  }

  Instant clock_;
  double last_touch_ = 0.0;
  int runs_ = 0;
};

TEST(Blocks, ThatTakeLongHaveFreshArraysEach) {
  // A block takes a twelfth of the budget, or longer.
  MadeMachine machine;
  machine.array_seconds = 1.0;
  machine.add("copy", 0);
  machine.measure({kNever, 1, kNever, 12.0, 100}, 1);
  EXPECT_EQ(machine.renewed, machine.so_far.block - 1);  // not after the warm-up, nor the last
}

TEST(Blocks, ThatTakeLittleKeepTheirArraysForAsManyAsWereAskedFor) {
  MadeMachine machine;
  machine.add("copy", 0);
  machine.measure({9, 1, 9, 1000.0, 3}, 1);
  EXPECT_EQ(machine.so_far.block, 9);
  EXPECT_EQ(machine.so_far.timed, 9);
  EXPECT_EQ(machine.renewed, 2);
}

TEST(Blocks, KeepTheirArraysForTenTimesTheirTouch) {
  // After the warm-up and three more blocks, which are 40 ms, the touch of 4.5 ms wants another.
  MadeMachine machine;
  machine.first_touch_seconds = 0.0045;
  machine.touch_seconds = 0.0045;
  machine.add("copy", 0);
  machine.measure({9, 1, 9, 1000.0, 3}, 1);
  EXPECT_EQ(machine.so_far.block, 9);
  EXPECT_EQ(machine.renewed, 1);
}

TEST(Blocks, KeepArraysWhoseTouchWouldTakeMostOfTheTime) {
  MadeMachine machine;
  machine.array_seconds = 1.0;
  machine.first_touch_seconds = 90.0;
  machine.add("copy", 0);
  machine.measure({kNever, 1, kNever, 12.0, 100}, 1);
  EXPECT_EQ(machine.renewed, 0);
}

TEST(Blocks, WhoseSamplesAreMostlyDisturbedLeaveTimeToTheOthers) {
  const auto measured = [](int quiet_every) {
    MadeMachine machine;
    machine.quiet_every = quiet_every;
    machine.array_seconds = 0.02;
    machine.add("triad", 0);
    machine.add("copy", 1);
    machine.measure({20, 10, 300, 7.0, std::nullopt}, 2);
    return machine;
  };
  const MadeMachine busy = measured(13);
  EXPECT_GT(busy.samples(0), 0U);
  EXPECT_FALSE(busy.courses[1].samples.timed().empty() && busy.courses[1].disturbed.empty());
  // Where nothing disturbs, samples that are still too few are worth more than those of the others.
  const MadeMachine idle = measured(1);
  EXPECT_GE(idle.samples(0), 20U);
}

// Five variants that are read first, four that explain them, and twelve others.
MadeMachine machine_with_tiers(double array_seconds) {
  MadeMachine machine;
  machine.array_seconds = array_seconds;
  for (const char* kernel : {"copy", "copy", "triad", "triad", "sum"}) {
    machine.add(kernel, 0);
  }
  for (const char* kernel : {"update", "daxpy", "sdaxpy", "triad"}) {
    machine.add(kernel, 1, 4 - machine.courses.size() % 4);
  }
  for (int count = 0; count < 12; ++count) {
    machine.add("add", 2);
  }
  return machine;
}

constexpr Sampling kHalfAMinute{20, 10, 300, 27.0, 3};

TEST(Blocks, SettleTheFirstTierBeforeTheNextIsBegun) {
  MadeMachine machine = machine_with_tiers(0.001);
  machine.measure(kHalfAMinute, 3);
  EXPECT_EQ(machine.tiers_left, (std::vector{0, 1, 2}));
  const int last_alone = *machine.blocks_of[5].begin() - 1;
  const auto& first = machine.blocks_of[0];
  EXPECT_GE(std::distance(first.begin(), first.upper_bound(last_alone)), 20);
  EXPECT_GE(*machine.blocks_of[9].begin(), *machine.blocks_of[5].begin() + 20);
  EXPECT_EQ(machine.so_far.stopped_by, StoppedBy::kConverged);
  EXPECT_LT(machine.seconds, 27.0);
}

TEST(Blocks, RepeatEarlierTiersSoThatAllAreComparedWithinBlocks) {
  MadeMachine machine = machine_with_tiers(0.001);
  machine.measure(kHalfAMinute, 3);
  for (const int later : {5, 9}) {
    const auto& these = machine.blocks_of[later];
    const auto common = std::count_if(these.begin(), these.end(), [&](int block) {
      return machine.blocks_of[0].contains(block);
    });
    EXPECT_GE(common, 6) << later;
    EXPECT_LT(common, static_cast<std::ptrdiff_t>(these.size())) << later;
  }
}

TEST(Blocks, TakeNoVariantForWhichThereIsNoTime) {
  // A sample of one array takes 30 ms: the arrays are a gigabyte.
  MadeMachine machine = machine_with_tiers(0.03);
  machine.first_touch_seconds = 2.5;
  machine.touch_seconds = 0.3;
  machine.scatter = 0.1;  // nothing ever settles
  machine.measure(kHalfAMinute, 3);
  for (std::size_t number = 0; number < 5; ++number) {
    EXPECT_GE(machine.samples(number), 20U) << number;
  }
  std::size_t not_taken = 0;
  for (std::size_t number = 5; number < machine.courses.size(); ++number) {
    not_taken += machine.courses[number].is_taken ? 0 : 1;
    EXPECT_EQ(machine.samples(number) == 0, !machine.courses[number].is_taken) << number;
    if (machine.courses[number].is_taken) {
      EXPECT_GE(machine.samples(number), 6U) << number;
    }
  }
  EXPECT_GT(not_taken, 0U);
  EXPECT_EQ(machine.so_far.stopped_by, StoppedBy::kBudget);
  EXPECT_LT(machine.seconds, 27.0);  // the check of the results has its time
}

TEST(Blocks, OfTheFirstTierComeFromThreeAllocationsEvenInLittleTime) {
  MadeMachine machine = machine_with_tiers(0.03);
  machine.first_touch_seconds = 3.0;
  machine.touch_seconds = 0.4;
  machine.scatter = 0.1;
  Sampling quick = kHalfAMinute;
  quick.budget_seconds = 8.0;
  machine.measure(quick, 3);
  EXPECT_GE(machine.epochs_of[0].size(), 3U);
  EXPECT_GE(machine.samples(0), 6U);
  EXPECT_LT(machine.seconds, 8.0);
}

TEST(Blocks, HaveASampleOfTheFirstTierHoweverLittleTimeThereIs) {
  MadeMachine machine = machine_with_tiers(3.0);
  machine.first_touch_seconds = 60.0;
  machine.measure(kHalfAMinute, 3);
  EXPECT_EQ(machine.samples(0), 1U);
  EXPECT_FALSE(machine.courses[5].is_taken);
}

TEST(Blocks, TakeTheFirstOnesOfATierWhereThereIsNoTimeForAll) {
  MadeMachine machine = machine_with_tiers(0.03);
  machine.scatter = 0.1;
  Sampling sampling = kHalfAMinute;
  for (sampling.budget_seconds = 10.0; sampling.budget_seconds < 40.0;
       sampling.budget_seconds += 3.0) {
    MadeMachine one = machine;
    one.measure(sampling, 3);
    double last_taken = 0.0;
    for (std::size_t number = 5; number < 9; ++number) {
      if (one.courses[number].is_taken) {
        last_taken = std::max(last_taken, static_cast<double>(one.courses[number].place.place));
      }
    }
    // All kernels of that tier take alike long but triad, the shortest of which may still fit.
    const auto skipped =
        std::count_if(one.courses.begin() + 5, one.courses.begin() + 9, [&](const Course& course) {
          return !course.is_taken && static_cast<double>(course.place.place) < last_taken;
        });
    EXPECT_LE(skipped, 1) << sampling.budget_seconds;
  }
}

TEST(Blocks, CountWhatGoesBeforeATier) {
  MadeMachine machine = machine_with_tiers(0.001);
  machine.before_tier_of = 1;
  machine.before_tier_seconds = 100.0;
  machine.measure(kHalfAMinute, 3);
  EXPECT_FALSE(machine.courses[5].is_taken);
  EXPECT_EQ(machine.so_far.stopped_by, StoppedBy::kBudget);
}

TEST(Blocks, OfOneTierHaveTheBudgetForThemselves) {
  MadeMachine machine;
  machine.array_seconds = 0.1;
  machine.first_touch_seconds = 50.0;
  machine.add("copy", 0);
  machine.measure({5, 1, 5, 10.0}, 1);
  EXPECT_EQ(machine.samples(0), 5U);
}

}  // namespace
}  // namespace streamgage::engine
