#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/session.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_session.hpp"

namespace streamgage::engine {
namespace {

#ifdef STREAMGAGE_OWN_PROBES

using testing::ElementsAre;
using testing::HasSubstr;

Plan plan_with(const std::vector<std::string>& probes, std::vector<std::string> kernels = {}) {
  Plan plan = small_plan();
  plan.kernels = std::move(kernels);
  plan.stores = std::vector<std::string>{"plain"};
  for (const std::string& name : probes) {
    plan.own_kernels.push_back({STREAMGAGE_OWN_PROBES "/" + name + ".so", "somecc", name + ".c"});
  }
  return plan;
}

std::vector<std::string> names_of(const std::vector<Json>& records, const char* key) {
  std::vector<std::string> names;
  for (const Json& record : records) {
    names.push_back(record[key].is_null() ? "null" : record[key].get<std::string>());
  }
  return names;
}

TEST(OwnSession, OwnKernelsAreMeasuredInTheSameBlocksAsTheCatalogues) {
  RecordList kept;
  const auto outcome =
      run_session(small_machine(), plan_with({"triad", "counts"}, {"triad"}), kept);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->exit_status, 0) << outcome->message.value_or("");
  EXPECT_THAT(names_of(kept.of("kernel"), "name"), ElementsAre("triad", "own-triad", "counts"));
  EXPECT_THAT(names_of(kept.of("kernel-check"), "kernel"), ElementsAre("own-triad", "counts"));
  std::vector<int> samples(3);
  for (const Json& sample : kept.of("sample")) {
    samples[sample["variant"].get<std::size_t>()] += sample["role"] == "timed" ? 1 : 0;
  }
  EXPECT_THAT(samples, testing::Each(testing::Ge(5)));
  const auto validations = kept.of("validation");
  ASSERT_EQ(validations.size(), 3U);
  EXPECT_EQ(validations[1]["valid"], true);
  EXPECT_EQ(validations[1]["checked"], 10'000);
  EXPECT_TRUE(validations[2]["valid"].is_null());
  EXPECT_EQ(kept.of("variant")[1]["elements"], 10'000);
  const auto arrays = kept.of("memory").front()["arrays"];
  EXPECT_EQ(arrays.size(), 8U);
  EXPECT_EQ(arrays[3]["name"], "own-triad.a");
}

TEST(OwnSession, WithoutOthersNoArraysOfTheCatalogueAreThere) {
  RecordList kept;
  Plan plan = plan_with({"stencil"});
  plan.array_bytes.reset();
  plan.working_set_bytes = 64'000;
  plan.sampling.epoch_blocks = 1;
  const auto outcome = run_session(small_machine(), plan, kept);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->exit_status, 0) << outcome->message.value_or("");
  const Json memory = kept.of("memory").front();
  EXPECT_EQ(memory["arrays"].size(), 2U);
  const Json facts = kept.of("kernel").front()["own"];
  EXPECT_EQ(facts["iterations"].get<int>() % 96, 0);
  EXPECT_EQ(memory["array_bytes"], (facts["iterations"].get<int>() + 192) * 4);
  EXPECT_LE(memory["array_bytes"].get<int>() * 2, 64'000);
  EXPECT_EQ(kept.of("validation").front()["valid"], true);
}

TEST(OwnSession, WhatFailsTheCheckIsLeftOutAndTheOthersAreMeasured) {
  RecordList kept;
  const auto outcome =
      run_session(small_machine(), plan_with({"undeclared", "range"}, {"copy"}), kept);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->exit_status, 1);
  EXPECT_THAT(names_of(kept.of("kernel-failure"), "reason"), ElementsAre("declaration", "outside"));
  EXPECT_THAT(names_of(kept.of("kernel"), "name"), ElementsAre("copy"));
  EXPECT_EQ(kept.of("validation").front()["valid"], true);
  EXPECT_EQ(kept.of("end").front()["reason"], "complete");
}

TEST(OwnSession, AloneWhatFailsTheCheckEndsTheRun) {
  RecordList kept;
  const auto outcome = run_session(small_machine(), plan_with({"wrong"}), kept);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->exit_status, 1);
  EXPECT_THAT(kept.of("end").front()["message"].get<std::string>(),
              HasSubstr("nothing is left to measure: the kernel own-triad of wrong.c fails its"));
}

TEST(OwnSession, WritingOutsideInAMeasurementEndsThatKernelAlone) {
  RecordList kept;
  const auto outcome = run_session(small_machine(), plan_with({"late_behind"}, {"copy"}), kept);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->exit_status, 1);
  const auto failures = kept.of("kernel-failure");
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0]["reason"], "outside");
  EXPECT_THAT(failures[0]["message"].get<std::string>(),
              HasSubstr("element 10000 of its array a, which has the elements 0 to 9999."));
  EXPECT_THAT(kept.of("end").front()["stopped_by"], testing::Ne(Json("budget")));
  const auto validations = kept.of("validation");
  EXPECT_EQ(validations[0]["valid"], true);
  EXPECT_EQ(validations[1]["valid"], false);
}

TEST(OwnSession, CheckingMeasuresNothing) {
  RecordList kept;
  Plan plan = plan_with({"triad", "late_behind"}, {"copy"});
  plan.check_kernels = true;
  const auto outcome = run_session(small_machine(), plan, kept);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->exit_status, 1);
  EXPECT_TRUE(kept.of("sample").empty());
  EXPECT_EQ(kept.of("kernel-check").size(), 1U);
}

#endif

}  // namespace
}  // namespace streamgage::engine
