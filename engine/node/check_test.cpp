#include "node/check.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node/request.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// A run in which triad had that rate, known to a share of it.
NodeResult run_of(const Machine& machine, double gbps, double width) {
  NodeResult result{machine, ElementType::kDouble, 2, 2.0, {}, {}, {}, {}, {}, {}};
  Figure figure{{}, 24, {}, true, {}};
  figure.variant.kernel = *find_kernel("triad");
  figure.variant.store = StoreMode::kPlain;
  figure.rate.count = 50;
  figure.rate.median = gbps * 1e9;
  figure.rate.interval = Interval{gbps * 1e9 * (1 - width), gbps * 1e9 * (1 + width)};
  result.figures = {figure};
  return result;
}

NodeResult disturbed(NodeResult result) {
  result.warnings = {{"steal", "Sentences.", "the hypervisor took 9 % of the CPUs' time"}};
  return result;
}

const std::vector<ExpectedRate>& at_least_399() {
  static const std::vector<ExpectedRate> expected{*parse_expected_rate("triad=420GB/s,-5%")};
  return expected;
}

TEST(CheckRule, ANodeIsSlowOnlyWhereItsWholeIntervalIsBelowTheLimit) {
  const Machine machine;
  const auto verdict = [&](double gbps, double width) {
    return judge(run_of(machine, gbps, width), at_least_399());
  };
  EXPECT_EQ(verdict(399.1, 0.01), Verdict::kFine);
  EXPECT_EQ(verdict(500.0, 0.5), Verdict::kFine);
  EXPECT_EQ(verdict(398.0, 0.01), Verdict::kUndecided);
  EXPECT_EQ(verdict(398.0, 0.001), Verdict::kSlow);
  EXPECT_EQ(verdict(300.0, 0.01), Verdict::kSlow);
}

TEST(CheckRule, ADisturbedRunShowsNoSlowNode) {
  const Machine machine;
  EXPECT_EQ(judge(disturbed(run_of(machine, 300.0, 0.01)), at_least_399()), Verdict::kCannotTell);
  EXPECT_EQ(judge(disturbed(run_of(machine, 410.0, 0.01)), at_least_399()), Verdict::kFine);
}

TEST(CheckRule, AWrongResultIsWorseThanAnySpeed) {
  const Machine machine;
  NodeResult result = run_of(machine, 900.0, 0.01);
  result.figures[0].valid = false;
  EXPECT_EQ(judge(result, at_least_399()), Verdict::kWrong);
}

TEST(CheckRule, ASecondRunDecidesWhereThereIsTime) {
  const CheckLength length{1.0, 4.5};
  EXPECT_TRUE(needs_second(Verdict::kUndecided, 2.0, 2.5, length));
  EXPECT_FALSE(needs_second(Verdict::kUndecided, 2.0, 2.6, length));
  EXPECT_TRUE(needs_second(Verdict::kSlow, 1.0, 1.0, length));
  EXPECT_FALSE(needs_second(Verdict::kFine, 1.0, 1.0, length));
  EXPECT_FALSE(needs_second(Verdict::kWrong, 1.0, 1.0, length));
  EXPECT_EQ(settle(Verdict::kUndecided), Verdict::kCannotTell);
  EXPECT_EQ(settle(Verdict::kSlow), Verdict::kSlow);
  EXPECT_EQ(settle(Verdict::kFine), Verdict::kFine);
}

TEST(CheckRule, EachVerdictHasAnExitStatus) {
  EXPECT_EQ(exit_status_of(Verdict::kFine), 0);
  EXPECT_EQ(exit_status_of(Verdict::kSlow), 1);
  EXPECT_EQ(exit_status_of(Verdict::kWrong), 1);
  EXPECT_EQ(exit_status_of(Verdict::kCannotTell), 3);
}

TEST(CheckLine, SaysTheFigureAndItsLimit) {
  const Machine machine;
  const NodeResult slow = run_of(machine, 371.2, 0.01);
  EXPECT_EQ(format_verdict(Verdict::kSlow, slow, at_least_399(), 2),
            "slow: triad 371.2 GB/s, expected at least 399.0 (420.0 - 5 %); measured twice\n");
  EXPECT_EQ(format_verdict(Verdict::kFine, slow, {*parse_expected_rate("triad=300GB/s")}, 1),
            "ok: triad 371.2 GB/s, expected at least 300.0\n");
  EXPECT_THAT(format_verdict(Verdict::kCannotTell, disturbed(slow), at_least_399(), 1),
              StartsWith("cannot tell: the hypervisor took 9 % of the CPUs' time; triad 371.2"));
}

TEST(CheckLine, IsNeverLongerThanAReasonMayBe) {
  const Machine machine;
  std::vector<ExpectedRate> expected(20, at_least_399().front());
  const std::string line = format_verdict(Verdict::kSlow, run_of(machine, 1.0, 0.01), expected, 2);
  EXPECT_EQ(line.size(), kMostBytesOfReason);
  EXPECT_THAT(line, EndsWith("\n"));
}

TEST(ExpectedRate, IsReadWithItsUnitAndWhatMayBeMissing) {
  const auto limit = [](const char* text) { return parse_expected_rate(text)->limit() * 1e-9; };
  EXPECT_DOUBLE_EQ(limit("triad=420GB/s,-5%"), 399.0);
  EXPECT_DOUBLE_EQ(limit(" triad = 0.42 TB/s , -5 % "), 399.0);
  EXPECT_DOUBLE_EQ(limit("sum=950MB/s"), 0.95);
  EXPECT_EQ(parse_expected_rate("triad streaming=1GB/s")->store, StoreMode::kStreaming);
}

TEST(ExpectedRate, WhatIsNoneIsRefused) {
  const auto why = [](const char* text) { return parse_expected_rate(text).error().message; };
  EXPECT_THAT(why("triad"), HasSubstr("names no figure"));
  EXPECT_THAT(why("quad=1GB/s"), HasSubstr("no kernel 'quad'"));
  EXPECT_THAT(why("triad odd=1GB/s"), HasSubstr("odd"));
  EXPECT_THAT(why("triad=GB/s"), HasSubstr("has no number"));
  EXPECT_THAT(why("triad=420"), HasSubstr("has no unit"));
  EXPECT_THAT(why("triad=-1GB/s"), HasSubstr("not a rate above 0"));
  EXPECT_THAT(why("triad=2000TB/s"), HasSubstr("not a rate above 0"));
  EXPECT_THAT(why("triad=1GB/s,5%"), HasSubstr("no percentage"));
  EXPECT_THAT(why("triad=1GB/s,-100%"), HasSubstr("no percentage"));
  EXPECT_THAT(why("triad=1GB/s;"), HasSubstr("ends with"));
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
