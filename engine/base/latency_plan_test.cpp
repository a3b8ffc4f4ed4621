#include "base/latency_plan.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(LatencyPlan, IsDistinguishedFromThatOfKernels) {
  EXPECT_TRUE(is_latency_plan(R"({"schema": 1, "measure": "latency"})"));
  EXPECT_FALSE(is_latency_plan(R"({"schema": 1, "kernels": ["copy"]})"));
  EXPECT_FALSE(is_latency_plan(R"({"measure": "kernels"})"));
  EXPECT_FALSE(is_latency_plan("[1]"));
  EXPECT_FALSE(is_latency_plan("no JSON"));
}

TEST(LatencyPlan, EveryFieldIsRead) {
  const auto plan = parse_latency_plan(
      R"({"schema": 1, "measure": "latency", "chain_bytes": [8192, 1048576], "rounds": 2,
          "placement": {"kind": "cpus", "cpus": [1, 0]}, "seed": 5, "pages": "4k",
          "load": {"mixes": ["reads", "1:1"], "shares": [0, 0.5, 1], "seconds": 0.25}})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(plan->chain_bytes, ElementsAre(8192U, 1048576U));
  EXPECT_EQ(plan->rounds, 2);
  EXPECT_EQ(plan->seed, 5U);
  EXPECT_EQ(plan->pages, PageSize::kSmall);
  EXPECT_THAT(plan->placement.cpus, ElementsAre(1, 0));
  ASSERT_TRUE(plan->load);
  EXPECT_THAT(plan->load->mixes, ElementsAre(Mix::kReads, Mix::k1To1));
  EXPECT_THAT(plan->load->shares, ElementsAre(0.0, 0.5, 1.0));
  EXPECT_DOUBLE_EQ(plan->load->seconds, 0.25);
}

TEST(LatencyPlan, ADeviceIsNamed) {
  const auto plan = parse_latency_plan(
      R"({"schema": 1, "measure": "latency", "device": "opencl:0", "chain_bytes": [8192]})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->device, "opencl:0");
}

TEST(LatencyPlan, WhatIsWrongIsNamed) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {R"("rounds": 3)", "asks for neither chain_bytes nor load"},
      {R"("chain_bytes": [0])", "whole numbers from 1"},
      {R"("chain_bytes": 8192)", "must be a list"},
      {R"("chain_bytes": [8192], "rounds": 0)", "rounds of the plan"},
      {R"("chain_bytes": [8192], "rounds": -4294967295)", "rounds of the plan"},
      {R"("chain_bytes": [8192], "kernels": ["copy"])", "unknown key 'kernels'"},
      {R"("load": {"mixes": [], "shares": [1]})", "mixes of load"},
      {R"("load": {"shares": [1]})", "load has no mixes"},
      {R"("load": {"mixes": ["4:1"], "shares": [1]})",
       "a list of at least one of reads, 3:1, 2:1, 1:1"},
      {R"("load": {"mixes": ["reads"], "shares": [1.5]})", "at least one number from 0 to 1"},
      {R"("load": {"mixes": ["reads"], "shares": [1e-9]})", "0 or from 0.001 to 1"},
      {R"("load": {"mixes": ["reads"]})", "load has no shares"},
      {R"("load": {"mixes": ["reads"], "shares": [1], "seconds": 61})", "at most 60"},
      {R"("load": {"mixes": ["reads"], "shares": [1], "seconds": 0})", "seconds of load"},
      {R"("load": 3)", "load must be a JSON object"},
      {R"("device": "opencl:0", "chain_bytes": [8192], "placement": {"threads": 2})",
       "leave placement and load out"},
      {R"("device": "opencl:0", "load": {"mixes": ["reads"], "shares": [1]})",
       "leave placement and load out"},
  };
  for (const auto& [part, said] : wrong) {
    const auto plan = parse_latency_plan(R"({"schema": 1, "measure": "latency", )" + part + "}");
    ASSERT_FALSE(plan) << part;
    EXPECT_EQ(plan.error().status, ExitStatus::kUsage);
    EXPECT_THAT(plan.error().message, HasSubstr(said)) << part;
  }
  const auto newer = parse_latency_plan(R"({"schema": 2, "measure": "latency"})");
  EXPECT_THAT(newer.error().message, HasSubstr("version 2"));
}

}  // namespace
}  // namespace streamgage::engine
