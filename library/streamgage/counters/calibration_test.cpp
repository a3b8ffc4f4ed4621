#include "streamgage/counters/calibration.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage {
namespace {

using testing::HasSubstr;

constexpr double kGB = 1e9;

Volume apart(double read, double written) { return {read, written, read + written}; }

CalibrationRun sum(const Volume& seen) { return {"sum", 10 * kGB, 0.0, 1.0, seen}; }
CalibrationRun update(const Volume& seen) { return {"update", 5 * kGB, 5 * kGB, 1.0, seen}; }
CalibrationRun init(const Volume& seen) { return {"init", 0.0, 10 * kGB, 1.0, seen}; }

Calibration judge(std::vector<CalibrationRun> runs, const IdleTraffic& idle = {},
                  std::optional<double> peak = {}) {
  return calibrate(runs, idle, peak);
}

TEST(Calibration, AcceptsASourceThatSeesWhatTheKernelsMove) {
  const auto found = judge({sum(apart(10.1 * kGB, 0.1 * kGB)), update(apart(5.2 * kGB, 4.9 * kGB)),
                            init(apart(0.2 * kGB, 9.9 * kGB))});
  EXPECT_TRUE(found.is_accepted) << found.reason;
  ASSERT_EQ(found.outcomes.size(), 3U);
  EXPECT_NEAR(found.outcomes[0].deviation, 0.01, 1e-12);
  EXPECT_NEAR(found.outcomes[1].deviation, 0.02, 1e-12);
}

TEST(Calibration, RejectsWhatIsMoreThan3PercentOff) {
  EXPECT_TRUE(judge({sum(apart(10.29 * kGB, 0.0))}).is_accepted);
  const auto found = judge({sum(apart(10.0 * kGB, 0.0)), update(apart(5.0 * kGB, 2.5 * kGB))});
  EXPECT_FALSE(found.is_accepted);
  EXPECT_EQ(found.reason,
            "writes of update are 2.500 GB instead of 5.000 GB; the difference is -25.0 % of its "
            "traffic, and 3 % are allowed");
}

TEST(Calibration, RejectsReadsAndWritesThatAreExchanged) {
  EXPECT_FALSE(judge({sum(apart(0.0, 10.0 * kGB))}).is_accepted);
  EXPECT_FALSE(judge({init(apart(10.0 * kGB, 0.0))}).is_accepted);
}

TEST(Calibration, RejectsAWriteThatReadsItsLineFirst) {
  EXPECT_THAT(judge({init(apart(10.0 * kGB, 10.0 * kGB))}).reason, HasSubstr("reads of init"));
}

TEST(Calibration, ComparesTotalsWhereTheSourceReportsNoMore) {
  EXPECT_TRUE(judge({sum({{}, {}, 10.1 * kGB}), init({{}, {}, 9.9 * kGB})}).is_accepted);
  EXPECT_THAT(judge({sum({{}, {}, 5.0 * kGB})}).reason, HasSubstr("traffic of sum"));
}

TEST(Calibration, RejectsWhatIsAlwaysZero) {
  const auto found = judge({sum(apart(0.0, 0.0)), init(apart(0.0, 0.0))});
  EXPECT_FALSE(found.is_accepted);
  EXPECT_EQ(found.reason, "it shows no traffic at all, whatever runs");
}

TEST(Calibration, RejectsWhatIsAboveTheTheoreticalPeak) {
  const auto runs = {sum(apart(10.1 * kGB, 0.0))};
  EXPECT_TRUE(judge(runs, {}, 10.2 * kGB).is_accepted);
  EXPECT_EQ(judge(runs, {}, 10.0 * kGB).reason,
            "sum shows 10.1 GB/s, above the theoretical peak of 10.0 GB/s");
}

TEST(Calibration, SubtractsTheIdleMachine) {
  const IdleTraffic idle = idle_traffic(apart(2.0 * kGB, 1.0 * kGB), 2.0);
  EXPECT_DOUBLE_EQ(idle.read.value(), 1.0 * kGB);
  EXPECT_DOUBLE_EQ(idle.total, 1.5 * kGB);
  const auto found = judge({sum(apart(11.0 * kGB, 0.5 * kGB))}, idle);
  EXPECT_TRUE(found.is_accepted) << found.reason;
  EXPECT_DOUBLE_EQ(found.outcomes[0].seen.read.value(), 10.0 * kGB);
  EXPECT_DOUBLE_EQ(found.outcomes[0].seen.total, 10.0 * kGB);
  EXPECT_DOUBLE_EQ(found.idle.total, 1.5 * kGB);
  EXPECT_DOUBLE_EQ(without_idle({{}, {}, kGB}, 1.0, idle_traffic({{}, {}, kGB}, 4.0)).total,
                   0.75 * kGB);
}

TEST(Calibration, RejectsWhatWasNotComparedOrIsNoNumber) {
  EXPECT_FALSE(judge({}).is_accepted);
  EXPECT_FALSE(judge({{"sum", 0.0, 0.0, 1.0, apart(0.0, 0.0)}}).is_accepted);
  EXPECT_FALSE(judge({{"sum", kGB, 0.0, 0.0, apart(kGB, 0.0)}}).is_accepted);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(judge({sum(apart(kNan, 0.0))}).is_accepted);
  EXPECT_FALSE(judge({sum(apart(10.0 * kGB, kNan))}).is_accepted);
  EXPECT_FALSE(judge({sum({{}, {}, kNan})}).is_accepted);
}

}  // namespace
}  // namespace streamgage
