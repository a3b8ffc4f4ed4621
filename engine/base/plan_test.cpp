#include "base/plan.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/latency_plan.hpp"

namespace streamgage::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Plan, TheShortestPlanTakesTheDefaults) {
  const auto plan = parse_plan(R"({"schema": 1, "kernels": ["copy"]})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(plan->kernels, ElementsAre("copy"));
  EXPECT_FALSE(plan->stores);
  EXPECT_EQ(plan->type, ElementType::kDouble);
  EXPECT_EQ(plan->placement.kind, PlacementKind::kCores);
  EXPECT_FALSE(plan->array_bytes);
  EXPECT_EQ(plan->sampling.min_samples, 20);
  EXPECT_FALSE(plan->last_level_cache_bytes);
  EXPECT_TRUE(plan->tiers.empty());
  EXPECT_EQ(plan->pages, PageSize::kHuge);
  EXPECT_FALSE(plan->memory_nodes);
  EXPECT_FALSE(plan->idle_latency);
  EXPECT_FALSE(plan->counters);
  EXPECT_FALSE(plan->peak_bytes_per_second);
}

TEST(Plan, EveryFieldIsRead) {
  const auto plan = parse_plan(
      R"({"schema": 1, "kernels": ["sum", "triad"], "stores": ["regular"], "type": "float",
          "evidence": ["daxpy"],
          "placement": {"kind": "cpus", "cpus": [3, 1], "threads": 2}, "array_bytes": 8000000,
          "seed": 18446744073709551615, "pages": "1g", "counters": true,
          "memory_nodes": [2, 0], "idle_latency": true, "core_clock": true,
          "peak_bytes_per_second": 2.5e11,
          "sampling": {"min_samples": 5, "look_every": 5, "max_samples": 9, "budget_seconds": 1.5}})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(*plan->stores, ElementsAre("regular"));
  EXPECT_THAT(plan->evidence, ElementsAre("daxpy"));
  EXPECT_EQ(plan->type, ElementType::kFloat);
  EXPECT_THAT(plan->placement.cpus, ElementsAre(3, 1));
  EXPECT_EQ(plan->placement.threads, 2);
  EXPECT_EQ(plan->array_bytes, 8'000'000U);
  EXPECT_EQ(plan->seed, 18446744073709551615ULL);
  EXPECT_EQ(plan->sampling.max_samples, 9);
  EXPECT_DOUBLE_EQ(plan->sampling.budget_seconds, 1.5);
  EXPECT_EQ(plan->pages, PageSize::kGiant);
  EXPECT_THAT(*plan->memory_nodes, ElementsAre(2, 0));
  EXPECT_TRUE(plan->idle_latency);
  EXPECT_TRUE(plan->core_clock);
  EXPECT_TRUE(plan->counters);
  EXPECT_EQ(plan->peak_bytes_per_second, 2.5e11);
}

TEST(Plan, WhereArraysStartAndWhatTheyHoldIsRead) {
  const auto usual = parse_plan(R"({"schema": 1, "kernels": ["copy"]})");
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->init, Init::kPattern);
  EXPECT_FALSE(usual->alignment_bytes);
  const auto plan = parse_plan(
      R"({"schema": 1, "kernels": ["copy"], "type": "float", "init": "random",
          "alignment_bytes": 4})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->init, Init::kRandom);
  EXPECT_EQ(plan->alignment_bytes, 4U);
}

TEST(Plan, AnAlignmentIsAPowerOfTwoFromAnElementToAGibibyte) {
  for (const char* bytes : {"4", "0", "24", "2147483648", "-8", "1.5", "18446744073709551615"}) {
    const auto plan = parse_plan(std::string(R"({"schema": 1, "kernels": ["copy"],
        "alignment_bytes": )") + bytes +
                                 "}");
    ASSERT_FALSE(plan) << bytes;
    EXPECT_THAT(plan.error().message, HasSubstr("alignment_bytes of the plan must be")) << bytes;
  }
  const auto own = parse_plan(R"({"schema": 1, "kernels": [], "alignment_bytes": 64,
      "own_kernels": [{"path": "a.so", "code": "gcc"}]})");
  ASSERT_FALSE(own);
  EXPECT_THAT(own.error().message, HasSubstr("alignment_bytes and init apply only"));
}

TEST(Plan, ALibraryOfPlainKernelsIsRead) {
  const auto plan = parse_plan(R"({"schema": 1, "kernels": ["copy"],
    "plain_library": {"path": "/x/y.so", "code": "somecc -O2"}})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->plain_library->path, "/x/y.so");
  EXPECT_EQ(plan->plain_library->code, "somecc -O2");
  const auto without = parse_plan(R"({"schema": 1, "kernels": ["copy"], "plain_library": {}})");
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().message, HasSubstr("plain_library has no path"));
}

TEST(Plan, OwnKernelsAreReadAndStandForThoseOfTheCatalogue) {
  const auto plan = parse_plan(
      R"({"schema": 1, "kernels": [], "check_kernels": true, "kernel_timeout_seconds": 2.5,
          "own_kernels": [{"path": "/a.so", "code": "cc", "source": "a.c"},
                          {"path": "/b.so", "code": "given"}]})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(plan->kernels.empty());
  ASSERT_EQ(plan->own_kernels.size(), 2U);
  EXPECT_EQ(plan->own_kernels[0].source, "a.c");
  EXPECT_FALSE(plan->own_kernels[1].source);
  EXPECT_EQ(plan->kernel_timeout_seconds, 2.5);
  EXPECT_TRUE(plan->check_kernels);
}

TEST(Plan, CopiesAreThoseOfADevice) {
  const auto plan = parse_plan(
      R"({"schema": 1, "device": "opencl:0", "copies": true, "kernels": [],
          "array_bytes": 65536})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(plan->copies);
  EXPECT_TRUE(plan->kernels.empty());
  for (const char* wrong :
       {R"("kernels": [])", R"("device": "opencl:0", "kernels": ["copy"])",
        R"("device": "opencl:0", "kernels": [], "working_set_bytes": 65536)",
        R"("device": "opencl:0", "kernels": [], "tuning": {"budget_seconds": 1})"}) {
    const auto refused = parse_plan(R"({"schema": 1, "copies": true, )" + std::string(wrong) + "}");
    ASSERT_FALSE(refused) << wrong;
    EXPECT_THAT(refused.error().message, HasSubstr("the plan asks for copies")) << wrong;
  }
}

TEST(Plan, APeerIsAnotherDeviceForCopies) {
  const std::string begin = R"({"schema": 1, "device": "cuda:0", "peer": )";
  const auto plan = parse_plan(begin + R"("cuda:1", "copies": true, "kernels": []})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->peer, "cuda:1");
  for (const char* wrong :
       {R"("cuda:0", "copies": true, "kernels": []})", R"("cuda:1", "kernels": ["copy"]})"}) {
    const auto refused = parse_plan(begin + wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_THAT(refused.error().message, HasSubstr("the plan names a peer")) << wrong;
  }
}

TEST(Plan, ADeviceMayHaveAWorkingSetAndOwnKernels) {
  const auto plan = parse_plan(
      R"({"schema": 1, "device": "opencl:0", "kernels": ["copy"], "working_set_bytes": 65536,
          "own_kernels": [{"path": "/a.cl", "code": "OpenCL C", "language": "opencl-c"}]})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->working_set_bytes, 65536U);
  ASSERT_EQ(plan->own_kernels.size(), 1U);
  EXPECT_EQ(plan->own_kernels.front().language, DeviceLanguage::kOpenclC);
}

TEST(Plan, AnOwnKernelRunsWhereItsLanguageDoes) {
  const auto refused = [](const char* device, const char* language) {
    const auto plan = parse_plan(fmt::format(
        R"({{"schema": 1, "device": {}, "kernels": ["copy"],
            "own_kernels": [{{"path": "/a", "code": "x", "source": "a.cu", "language": {}}}]}})",
        device, language));
    return plan ? "" : plan.error().message;
  };
  EXPECT_EQ(refused(R"("cuda:0")", R"("cuda-c++")"), "");
  EXPECT_EQ(refused("null", "null"), "");
  EXPECT_THAT(refused("null", R"("cuda-c++")"),
              HasSubstr("a.cu of own_kernels does not run on the processor: name a device"));
  EXPECT_THAT(refused(R"("cuda:0")", "null"), HasSubstr("a.cu of own_kernels does not run on a "
                                                        "device: give the language"));
  EXPECT_THAT(refused(R"("cuda:0")", R"("rust")"), HasSubstr("language of an entry of"));
}

TEST(Plan, WithoutOwnKernelsThereIsNothingToCheck) {
  const auto plan = parse_plan(R"({"schema": 1, "kernels": ["copy"], "check_kernels": true})");
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message, HasSubstr("check_kernels needs own_kernels"));
  EXPECT_FALSE(parse_plan(R"({"schema": 1, "kernels": []})"));
}

TEST(Plan, AWorkingSetIsAskedForInPlaceOfArrays) {
  const auto plan = parse_plan(R"({"schema": 1, "kernels": ["copy"], "working_set_bytes": 4096})");
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->working_set_bytes, 4096U);
  const auto both = parse_plan(
      R"({"schema": 1, "kernels": ["copy"], "working_set_bytes": 4096, "array_bytes": 2048})");
  ASSERT_FALSE(both);
  EXPECT_THAT(both.error().message, HasSubstr("leave one of them out"));
}

TEST(Plan, ShapesAndInstructionSetsAreRead) {
  const auto plan = parse_plan(R"({"schema": 1, "kernels": ["copy"], "isas": ["AVX2", "SSE2"],
    "tuning": {"budget_seconds": 2.5, "known": [{"kernel": "copy", "store": "regular",
    "isa": "AVX2", "shape": {"streams": 4, "write_prefetch_bytes": 0}}]}})");
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->isas, (std::vector<std::string>{"AVX2", "SSE2"}));
  EXPECT_DOUBLE_EQ(plan->tuning->budget_seconds, 2.5);
  ASSERT_EQ(plan->tuning->known.size(), 1U);
  EXPECT_EQ(plan->tuning->known[0].shape, (AccessShape{4, 0, std::nullopt, 0}));
  const auto by_hand =
      parse_plan(R"({"schema": 1, "kernels": ["copy"], "shape": {"block_bytes": 4096}})");
  ASSERT_TRUE(by_hand);
  EXPECT_EQ(by_hand->shape, (AccessShape{1, 4096, std::nullopt, std::nullopt}));
  EXPECT_FALSE(by_hand->tuning);
}

TEST(Plan, TiersAreReadInTheirOrder) {
  const auto plan = parse_plan(R"({"schema": 1, "kernels": ["copy", "sum", "triad"], "tiers": [
      {"kernels": ["triad", "copy"], "stores": ["streaming", "plain"]}, {"kernels": ["sum"]}]})");
  ASSERT_TRUE(plan) << plan.error().message;
  ASSERT_EQ(plan->tiers.size(), 2U);
  EXPECT_THAT(plan->tiers[0].kernels, ElementsAre("triad", "copy"));
  EXPECT_THAT(plan->tiers[0].stores.value(), ElementsAre("streaming", "plain"));
  EXPECT_THAT(plan->tiers[1].kernels, ElementsAre("sum"));
  EXPECT_FALSE(plan->tiers[1].stores);
}

TEST(Plan, ShapesAreSoughtFirstUnlessThePlanLetsThemWait) {
  const auto usual = parse_plan(R"({"schema": 1, "kernels": ["copy"], "tuning": {}})");
  ASSERT_TRUE(usual);
  EXPECT_TRUE(usual->tuning->first);
  const auto late = parse_plan(R"({"schema": 1, "kernels": ["copy"], "tuning": {"first": false}})");
  ASSERT_TRUE(late) << late.error().message;
  EXPECT_FALSE(late->tuning->first);
}

TEST(Plan, TheSizeOfTheLastLevelCacheIsReadUpToATebibyte) {
  const auto plan =
      parse_plan(R"({"schema": 1, "kernels": ["copy"], "last_level_cache_bytes": 1099511627776})");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->last_level_cache_bytes, std::uint64_t{1} << 40U);
}

TEST(Plan, WhatIsWrongIsNamed) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "not JSON"},
      {"{", "not JSON"},
      {"[]", "must be a JSON object"},
      {"{}", "no version"},
      {R"({"schema": 2, "kernels": ["copy"]})", "version 2"},
      {R"({"schema": 1})", "no kernels"},
      {R"({"schema": 1, "kernels": []})", "kernels"},
      {R"({"schema": 1, "kernels": [1]})", "kernels"},
      {R"({"schema": 1, "kernels": ["copy"], "evidence": "daxpy"})", "evidence"},
      {R"({"schema": 1, "kernels": ["copy"], "kernel": 1})", "unknown key 'kernel'"},
      {R"({"schema": 1, "kernels": ["copy"], "type": "half"})", "double, float"},
      {R"({"schema": 1, "kernels": ["copy"], "array_bytes": 0})", "array_bytes"},
      {R"({"schema": 1, "kernels": ["copy"], "array_bytes": -1})", "array_bytes"},
      {R"({"schema": 1, "kernels": ["copy"], "array_bytes": 1e3})", "array_bytes"},
      {R"({"schema": 1, "kernels": ["copy"], "seed": -1})", "seed"},
      {R"({"schema": 1, "kernels": ["copy"], "pages": "3m"})", "one of 4k, 2m, 1g"},
      {R"({"schema": 1, "kernels": [], "pages": "1g",
           "own_kernels": [{"path": "a.so", "code": "gcc"}]})",
       "pages of 1g apply only to built-in kernels"},
      {R"({"schema": 1, "kernels": ["copy"], "device": "cuda:0", "stream_view": true})",
       "leave placement, init, tiers, checks, stream_view"},
      {R"({"schema": 1, "kernels": ["copy"], "counters": 1})", "true or false"},
      {R"({"schema": 1, "kernels": ["copy"], "memory_nodes": []})", "one NUMA node number"},
      {R"({"schema": 1, "kernels": ["copy"], "memory_nodes": 0})", "one NUMA node number"},
      {R"({"schema": 1, "kernels": ["copy"], "memory_nodes": [-1]})", "one NUMA node number"},
      {R"({"schema": 1, "kernels": ["copy"], "memory_nodes": ["0"]})", "one NUMA node number"},
      {R"({"schema": 1, "kernels": ["copy"], "idle_latency": 1})", "true or false"},
      {R"({"schema": 1, "kernels": ["copy"], "peak_bytes_per_second": 0})", "above 0"},
      {R"({"schema": 1, "kernels": ["copy"], "placement": []})", "placement must be"},
      {R"({"schema": 1, "kernels": ["copy"], "placement": {"kind": "cpus"}})",
       "placement must name CPUs if"},
      {R"({"schema": 1, "kernels": ["copy"], "placement": {"cpus": [0]}})",
       "placement must name CPUs if"},
      {R"({"schema": 1, "kernels": ["copy"], "placement": {"kind": "cpus", "cpus": [-1]}})",
       "CPU number"},
      {R"({"schema": 1, "kernels": ["copy"], "placement": {"threads": 0}})", "threads"},
      {R"({"schema": 1, "kernels": ["copy"], "placement": {"threads": 4294967297}})", "threads"},
      {R"({"schema": 1, "kernels": ["copy"], "sampling": {"min_samples": 400}})", "max_samples"},
      {R"({"schema": 1, "kernels": ["copy"], "sampling": {"budget_seconds": 0}})", "above 0"},
      {R"({"schema": 1, "kernels": ["copy"], "sampling": {"budget": 1}})", "unknown key 'budget'"},
      {R"({"schema": 1, "kernels": ["copy"], "isas": []})", "isas"},
      {R"({"schema": 1, "kernels": ["copy"], "shape": 4})", "shape must be"},
      {R"({"schema": 1, "kernels": ["copy"], "shape": {"stream": 4}})", "unknown key 'stream'"},
      {R"({"schema": 1, "kernels": ["copy"], "shape": {"streams": 0}})", "streams"},
      {R"({"schema": 1, "kernels": ["copy"], "shape": {"block_bytes": -1}})", "block_bytes"},
      {R"({"schema": 1, "kernels": ["copy"], "tuning": {"known": {}}})", "must be a list"},
      {R"({"schema": 1, "kernels": ["copy"], "tuning": {"known": [{"kernel": "copy"}]}})", "store"},
      {R"({"schema": 1, "kernels": ["copy"], "tuning": {"budget_seconds": -1}})", "above 0"},
      {R"({"schema": 1, "kernels": ["copy"], "shape": {}, "tuning": {}})", "leave one of them out"},
      {R"({"schema": 1, "kernels": ["copy"], "tuning": {"first": 0}})", "true or false"},
      {R"({"schema": 1, "kernels": ["copy"], "tiers": {}})", "tiers of the plan must be a list"},
      {R"({"schema": 1, "kernels": ["copy"], "tiers": ["copy"]})", "an entry of tiers must be"},
      {R"({"schema": 1, "kernels": ["copy"], "tiers": [{}]})", "an entry of tiers has no kernels"},
      {R"({"schema": 1, "kernels": ["copy"], "tiers": [{"kernels": ["copy"], "stores": []}]})",
       "stores"},
      {R"({"schema": 1, "kernels": ["copy"], "tiers": [{"kernels": ["copy"], "store": []}]})",
       "unknown key 'store'"},
      {R"({"schema": 1, "kernels": ["copy"], "last_level_cache_bytes": 0})",
       "last_level_cache_bytes"},
      {R"({"schema": 1, "kernels": ["copy"], "last_level_cache_bytes": 1099511627777})",
       "last_level_cache_bytes"},
  };
  for (const auto& [text, part] : cases) {
    const auto plan = parse_plan(text);
    ASSERT_FALSE(plan) << text;
    EXPECT_THAT(plan.error().message, HasSubstr(part)) << text;
    EXPECT_EQ(plan.error().status, ExitStatus::kUsage);
  }
}

TEST(Plan, OneThatIsNestedDeeplyIsRefused) {
  using Pair = std::pair<std::string, std::string>;
  for (const auto& [before, after] : {Pair{"[", "]"}, Pair{R"({"a":)", "}"}}) {
    std::string value = "1";
    for (int round = 0; round < 200'000; ++round) {
      value += after;
    }
    std::string text = R"({"schema": 1, "kernels": ["copy"], "array_bytes": )";
    for (int round = 0; round < 200'000; ++round) {
      text += before;
    }
    text += value + "}";
    const auto plan = parse_plan(text);
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error().message, HasSubstr("nested"));
    EXPECT_FALSE(is_latency_plan(text));
  }
}

}  // namespace
}  // namespace streamgage::engine
