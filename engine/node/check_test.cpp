#include "node/check.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node/expected_rate.hpp"
#include "node/request.hpp"

namespace streamgage::engine {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// A run of triad with this rate. `width`: half of its interval, as a share.
record::NodeLine run_of(double gbps, double width, const char* expected = "triad=420GB/s,-5%") {
  record::NodeLine run{};
  record::NodeFigure figure{};
  figure.kernel = "triad";
  figure.gbps = gbps;
  figure.high = gbps * (1 + width);
  figure.valid = true;
  run.figures = {figure};
  const ExpectedRate rate = *parse_expected_rate(expected);
  run.expected = {{.kernel = name_of(rate),
                   .expected_gbps = rate.rate / 1e9,
                   .limit_gbps = rate.limit() / 1e9}};
  return run;
}

record::NodeLine disturbed(record::NodeLine run) {
  run.disturbance = "the hypervisor took 9 % of the CPUs' time";
  return run;
}

TEST(CheckRule, ANodeIsSlowOnlyWhereItsWholeIntervalIsBelowTheLimit) {
  const auto verdict = [](double gbps, double width) { return judge(run_of(gbps, width)); };
  EXPECT_EQ(verdict(399.1, 0.01), RunVerdict::kFine);
  EXPECT_EQ(verdict(500.0, 0.5), RunVerdict::kFine);
  EXPECT_EQ(verdict(398.0, 0.01), RunVerdict::kUndecided);
  EXPECT_EQ(verdict(398.0, 0.001), RunVerdict::kSlow);
  EXPECT_EQ(verdict(300.0, 0.01), RunVerdict::kSlow);
}

TEST(CheckRule, ADisturbedRunShowsNoSlowNode) {
  EXPECT_EQ(judge(disturbed(run_of(300.0, 0.01))), RunVerdict::kCannotTell);
  EXPECT_EQ(judge(disturbed(run_of(410.0, 0.01))), RunVerdict::kFine);
}

TEST(CheckRule, AWrongResultIsWorseThanAnySpeed) {
  record::NodeLine run = run_of(900.0, 0.01);
  run.figures[0].valid = false;
  EXPECT_EQ(judge(run), RunVerdict::kWrong);
}

TEST(CheckRule, ASecondRunDecidesWhereThereIsTime) {
  const CheckLength length{1.0, 4.5};
  EXPECT_TRUE(needs_second(RunVerdict::kUndecided, 2.0, 2.5, length));
  EXPECT_FALSE(needs_second(RunVerdict::kUndecided, 2.0, 2.6, length));
  EXPECT_TRUE(needs_second(RunVerdict::kSlow, 1.0, 1.0, length));
  EXPECT_FALSE(needs_second(RunVerdict::kFine, 1.0, 1.0, length));
  EXPECT_FALSE(needs_second(RunVerdict::kWrong, 1.0, 1.0, length));
  EXPECT_EQ(settle(RunVerdict::kUndecided), Verdict::kCannotTell);
  EXPECT_EQ(settle(RunVerdict::kSlow), Verdict::kSlow);
  EXPECT_EQ(settle(RunVerdict::kFine), Verdict::kFine);
}

TEST(CheckRule, EachVerdictHasAnExitStatus) {
  EXPECT_EQ(exit_status_of(Verdict::kFine), 0);
  EXPECT_EQ(exit_status_of(Verdict::kSlow), 1);
  EXPECT_EQ(exit_status_of(Verdict::kWrong), 1);
  EXPECT_EQ(exit_status_of(Verdict::kCannotTell), 3);
}

TEST(CheckLine, SaysTheFigureAndItsLimit) {
  const record::NodeLine slow = run_of(371.2, 0.01);
  EXPECT_EQ(format_verdict(Verdict::kSlow, slow, 2),
            "slow: triad 371.2 GB/s, expected at least 399.0 (420.0 - 5 %); measured twice\n");
  EXPECT_EQ(format_verdict(Verdict::kFine, run_of(371.2, 0.01, "triad=300GB/s"), 1),
            "ok: triad 371.2 GB/s, expected at least 300.0\n");
  EXPECT_THAT(format_verdict(Verdict::kCannotTell, disturbed(slow), 1),
              StartsWith("cannot tell: the hypervisor took 9 % of the CPUs' time; triad 371.2"));
}

TEST(CheckLine, NamesWhatWasNotMeasured) {
  record::NodeLine run = run_of(371.2, 0.01);
  run.figures.clear();
  EXPECT_EQ(judge(run), RunVerdict::kCannotTell);
  EXPECT_EQ(format_verdict(Verdict::kCannotTell, run, 2),
            "cannot tell: triad was not measured, expected at least 399.0 (420.0 - 5 %); measured "
            "twice\n");
}

TEST(CheckLine, IsNeverLongerThanAReasonMayBe) {
  record::NodeLine run = run_of(1.0, 0.01);
  run.expected.assign(20, run.expected.front());
  const std::string line = format_verdict(Verdict::kSlow, run, 2);
  EXPECT_EQ(line.size(), static_cast<std::size_t>(kLongestReason));
  EXPECT_THAT(line, EndsWith("\n"));
}

TEST(CheckRequest, MeasuresWhatIsExpectedAndNoMore) {
  NodeRequest request;
  request.check = request.glance = true;
  request.expected = {"triad=1GB/s", "sum=1GB/s"};
  const auto plan = plan_of(request);
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->kernels, testing::ElementsAre("triad", "sum"));
  EXPECT_THAT(*plan->stores, testing::ElementsAre("plain"));
  EXPECT_EQ(plan->sampling.budget_seconds, kGlance.measured);
  request.expected = {"triad=1GB/s", "sum streaming=1GB/s"};
  EXPECT_THAT(plan_of(request).error().message,
              HasSubstr("sum has no stores of the kind streaming"));
  request.spent = -1.0;
  EXPECT_THAT(plan_of(request).error().message, HasSubstr("--spent must be 0"));
  request.spent = 0.0;
  request.expected.clear();
  EXPECT_THAT(plan_of(request).error().message, HasSubstr("--check needs an expected figure"));
}

}  // namespace
}  // namespace streamgage::engine
