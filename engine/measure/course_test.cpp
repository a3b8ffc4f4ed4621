#include "measure/course.hpp"

#include <chrono>
#include <memory>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/catalogue.hpp"
#include "measure/block_order.hpp"
#include "measure/expectation.hpp"

namespace streamgage::engine {
namespace {

TEST(Course, ASampleOfAMillisecondIsLongEnough) {
  EXPECT_EQ(more_passes(1, 1e-3), std::nullopt);
  EXPECT_EQ(more_passes(1, 5.0), std::nullopt);
}

TEST(Course, AShorterOneGetsAnOddNumberOfPassesThatAreEnough) {
  EXPECT_EQ(more_passes(1, 0.5e-3), 3);
  EXPECT_EQ(more_passes(3, 0.1e-3), 39);
}

TEST(Course, OneStepIsNoMoreThanSixtyFourfoldAndKeepsResultsExact) {
  EXPECT_EQ(more_passes(1, 0.0), 65);
  EXPECT_EQ(more_passes(2047, 1e-6), Expectation::kMostPasses);
  EXPECT_EQ(more_passes(Expectation::kMostPasses, 1e-6), std::nullopt);
}

Course course_of(std::string_view kernel) {
  Course course;
  course.variant.kernel = find_kernel(kernel).value();
  return course;
}

TEST(Course, CountsNoSampleThatIsShortOrNotYetWarm) {
  Course course = course_of("triad");
  EXPECT_FALSE(take_sample(course, 1e-6));
  EXPECT_GT(course.passes, 1);
  EXPECT_FALSE(take_sample(course, 2e-3));
  EXPECT_FALSE(take_sample(course, 1e-3));
  EXPECT_TRUE(take_sample(course, 1e-3));
  EXPECT_TRUE(take_sample(course, 1e-6));  // one that counts is not followed by more passes
  EXPECT_EQ(course.samples.warmups().size(), 2U);
  EXPECT_EQ(course.samples.timed(), (std::vector<double>{1e-3, 1e-6}));
}

TEST(Course, DoesNotCountASampleThatAPauseHit) {
  Course course = course_of("triad");
  Timing timing;
  timing.seconds = 1.0;
  EXPECT_EQ(take_timing(course, timing, {}).role, Role::kWarmup);
  EXPECT_EQ(take_timing(course, timing, {}).role, Role::kTimed);
  timing.seconds = 4.0;
  timing.paused_seconds = 3.0;
  EXPECT_EQ(take_timing(course, timing, {}).role, Role::kPaused);
  EXPECT_EQ(course.samples.timed(), std::vector<double>{1.0});
  const Json record = to_json(sample_record({3, 7, 0, Role::kPaused, 1}, timing, {}));
  EXPECT_EQ(record["role"], "paused");
  EXPECT_EQ(record["paused_seconds"], 3.0);
  EXPECT_EQ(sample_record({3, 7, 0, Role::kValidation, 1}, timing, {}).paused_seconds, 0.0);
}

// A walk of two threads through ten windows of 500 us; the first one loses its CPU in
// the last ones.
std::vector<ThreadWalk> walks_of(int disturbed) {
  std::vector<ThreadWalk> walks(2);
  for (std::size_t thread = 0; thread < walks.size(); ++thread) {
    Instant at{};
    std::int64_t cpu = 0;
    walks[thread].marks.push_back({at, cpu, 0});
    for (int number = 0; number < 10; ++number) {
      const bool is_away = thread == 0 && number >= 10 - disturbed;
      at += std::chrono::microseconds(is_away ? 4500 : 500);
      cpu += 500'000;
      walks[thread].marks.push_back({at, cpu, 1000});
    }
    walks[thread].switches = thread == 0 ? disturbed : 0;
  }
  return walks;
}

TEST(Course, CountsTheQuietTimeOfADisturbedSample) {
  Course course = course_of("triad");
  Timing timing;
  timing.seconds = 5e-3;
  EXPECT_EQ(take_timing(course, timing, walks_of(0)).role, Role::kWarmup);
  timing.seconds = 9e-3;
  const auto [role, pass] = take_timing(course, timing, walks_of(1));
  EXPECT_EQ(role, Role::kTimed);  // as long as the run before it, in which nothing was lost
  EXPECT_FALSE(pass.is_whole);
  EXPECT_NEAR(*pass.seconds, 5e-3, 1e-9);
}

TEST(Course, LearnsFromOthersHowMuchLongerWholePassesTake) {
  std::vector<Course> courses(2, course_of("copy"));
  Timing timing;
  timing.seconds = 5.2e-3;  // one thread ended 4 % later than the windows say
  for (int pass = 0; pass < 5; ++pass) {
    EXPECT_FALSE(whole_over_quiet(courses[0], courses));
    take_timing(courses[1], timing, walks_of(0), courses);
  }
  EXPECT_NEAR(*whole_over_quiet(courses[0], courses), 1.04, 1e-9);
  timing.seconds = 9e-3;
  EXPECT_NEAR(*take_timing(courses[0], timing, walks_of(1), courses).pass.seconds, 5.2e-3, 1e-9);
  timing.seconds = 6e-3;
  for (int pass = 0; pass < 5; ++pass) {
    take_timing(courses[0], timing, walks_of(0), courses);
  }
  EXPECT_NEAR(*whole_over_quiet(courses[0], courses), 1.2, 1e-9);  // its own passes know better
}

TEST(Course, ThatIsAlwaysDisturbedIsNotWaitedFor) {
  std::vector<Course> courses(2, course_of("copy"));
  for (int sample = 0; sample < 50; ++sample) {
    Timing timing;
    timing.seconds = 45e-3;
    EXPECT_EQ(take_timing(courses[0], timing, walks_of(10)).role, Role::kDisturbed);
    take_sample(courses[1], 1.0);
  }
  EXPECT_TRUE(is_hopeless(courses[0]));
  EXPECT_GT(fewest_samples(courses, {0, 1}), 0U);
  EXPECT_EQ(fewest_samples(courses, {0}), 0U);
}

TEST(Course, DoesNotCountASampleWithoutQuietTime) {
  Course course = course_of("triad");
  Timing timing;
  timing.seconds = 45e-3;
  const auto [role, pass] = take_timing(course, timing, walks_of(10));
  EXPECT_EQ(role, Role::kDisturbed);
  EXPECT_FALSE(pass.seconds);
  EXPECT_TRUE(course.samples.warmups().empty());
  EXPECT_EQ(seconds_of_a_pass(course), 45e-3);  // what a run takes is known all the same
  const Json record = to_json(sample_record({3, 7, 0, role, 1}, timing, pass));
  EXPECT_EQ(record["role"], "disturbed");
  EXPECT_TRUE(record["pass_seconds"].is_null());
  EXPECT_EQ(record["quiet"]["windows"], 20);
}

TEST(Course, AnOwnKernelThatWaitsIsNotPaused) {
  Course course = course_of("triad");
  course.variant.own = std::make_shared<OwnKernel>();
  Timing timing;
  timing.seconds = 1.0;
  timing.paused_seconds = 0.5;
  EXPECT_EQ(take_timing(course, timing, {}).role, Role::kWarmup);
  EXPECT_EQ(take_timing(course, timing, {}).role, Role::kTimed);
}

TEST(Course, TheFewestSamplesAreThoseOfOneVariant) {
  std::vector<Course> courses(3, course_of("copy"));
  const auto measure = [](Course& course, int samples) {
    for (int sample = 0; sample < samples; ++sample) {
      take_sample(course, 1.0);
    }
  };
  measure(courses[0], 3);  // the first is a warm-up
  measure(courses[1], 2);
  measure(courses[2], 4);
  EXPECT_EQ(fewest_samples(courses, numbers_below(3)), 1U);
  EXPECT_FALSE(all_have_converged(courses, numbers_below(courses.size())));
  for (Course& course : courses) {
    measure(course, 40);
  }
  EXPECT_TRUE(all_have_converged(courses, numbers_below(courses.size())));
}

TEST(Course, EvidenceIsNotWaitedFor) {
  std::vector<Course> courses(2, course_of("copy"));
  courses[1].variant.purpose = Purpose::kEvidence;
  for (int sample = 0; sample < 41; ++sample) {
    take_sample(courses[0], 1.0);
  }
  EXPECT_TRUE(all_have_converged(courses, numbers_below(courses.size())));
  courses[1].variant.purpose = Purpose::kForcedRead;
  EXPECT_FALSE(all_have_converged(courses, numbers_below(courses.size())));
}

TEST(Course, AnArrayThatHasChangedFailsWhatReadsIt) {
  Check changed;
  changed.wrong = 7;
  std::vector<Check> arrays(3);
  arrays[2] = changed;  // c
  EXPECT_EQ(with_arrays(course_of("triad").variant, {}, arrays).wrong, 7);
  EXPECT_EQ(with_arrays(course_of("copy").variant, {}, arrays).wrong, 0);
  Check own;
  own.wrong = 3;
  EXPECT_EQ(with_arrays(course_of("triad").variant, own, arrays).wrong, 3);
}

}  // namespace
}  // namespace streamgage::engine
