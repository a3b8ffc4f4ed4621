#include "environment/activity.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace streamgage::engine {
namespace {

TEST(Activity, IsThatOfTheCpusAskedFor) {
  const Machine machine = discover_machine().value();
  const auto activity = watch_activity(machine.allowed_cpus, 0.1);
  ASSERT_TRUE(activity);
  EXPECT_EQ(activity->cpus, machine.allowed_cpus);
  EXPECT_GE(activity->seconds, 0.1);
  ASSERT_TRUE(activity->steal_seconds);
  EXPECT_GE(*activity->steal_seconds, 0.0);
  EXPECT_TRUE(activity->other_seconds);
}

TEST(Activity, IsNotKnownWhereTheKernelDoesNotReportIt) {
  const auto activity = watch_activity({0}, 0.1, {"/nowhere", "/nowhere"});
  ASSERT_TRUE(activity);
  EXPECT_TRUE(to_record(*activity)["steal_seconds"].is_null());
  EXPECT_TRUE(to_record(*activity)["other_seconds"].is_null());
}

TEST(Activity, IsWatchedForAReasonableTime) {
  for (const double seconds : {-1.0, 0.0, 61.0, std::numeric_limits<double>::quiet_NaN()}) {
    const auto activity = watch_activity({0}, seconds);
    ASSERT_FALSE(activity);
    EXPECT_EQ(activity.error().status, ExitStatus::kUsage);
  }
}

}  // namespace
}  // namespace streamgage::engine
