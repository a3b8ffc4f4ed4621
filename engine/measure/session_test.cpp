#include "measure/session.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/vector/prefetch.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/simulated_bus.hpp"
#include "measure/testing/small_session.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

TEST(Session, RecordsComeInTheirOrderAndEndWithTheEnd) {
  RecordList kept;
  const auto outcome = run_session(small_machine(), small_plan(), kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  const std::vector<std::string> order = kept.kinds();
  EXPECT_THAT(std::vector(order.begin(), order.begin() + 5),
              testing::ElementsAre("machine", "plan", "placement", "memory", "clock"));
  EXPECT_EQ(order.back(), "end");
  EXPECT_EQ(kept.of("variant").size(), outcome->variants.size());
  EXPECT_EQ(kept.of("validation").size(), outcome->variants.size());
  EXPECT_EQ(kept.of("end").front()["reason"], "complete");
}

// Counters that are played back and see nothing of what runs.
CountersFound counters_that_see_nothing(SimulatedBus& bus) {
  CountersFound found;
  found.survey.source =
      std::make_unique<SimulatedSource>(bus, SimulatedSource::Manner{.share_seen = 0.0});
  found.survey.is_replayed = true;
  return found;
}

TEST(Session, CountersAreTriedBeforeTheFirstSampleAndNotReadWhereTheyAreRejected) {
  RecordList kept;
  SimulatedBus bus;
  const auto outcome =
      run_session(small_machine(), small_plan(), kept, counters_that_see_nothing(bus));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  std::vector<std::string> order;
  for (const Json& record : kept.records) {
    order.push_back(record["record"]);
  }
  const auto place = [&order](const char* type) {
    return std::find(order.begin(), order.end(), type);
  };
  EXPECT_LT(place("counters"), place("calibration"));
  EXPECT_LT(place("calibration"), place("sample"));
  EXPECT_EQ(kept.of("calibration").front()["accepted"], false);
  EXPECT_THAT(kept.of("calibration").front()["reason"].get<std::string>(),
              HasSubstr("no traffic at all"));
  EXPECT_TRUE(kept.of("traffic").empty());
}

TEST(Session, CountersAreNotTriedOnArraysThatCachesHoldInPart) {
  RecordList kept;
  SimulatedBus bus;
  auto found = counters_that_see_nothing(bus);
  found.survey.is_replayed = false;
  ASSERT_TRUE(run_session(small_machine(), small_plan(), kept, std::move(found)));
  EXPECT_THAT(kept.of("calibration").front()["reason"].get<std::string>(),
              HasSubstr("caches hold part of them"));
  EXPECT_EQ(kept.of("calibration").front()["runs"].size(), 0U);
}

TEST(Session, WithoutASourceTheRunReportsWhatWasLookedFor) {
  RecordList kept;
  ASSERT_TRUE(run_session(small_machine(), small_plan(), kept, CountersFound{}));
  EXPECT_EQ(kept.of("counters").size(), 1U);
  EXPECT_TRUE(kept.of("calibration").empty());
}

TEST(Session, EveryBlockHoldsEveryVariantOnceInAnOrderThatTheSeedFixes) {
  const auto orders = [](std::uint64_t seed) {
    RecordList kept;
    Plan plan = small_plan();
    plan.seed = seed;
    const auto outcome = run_session(small_machine(), plan, kept);
    std::map<int, std::vector<int>> of_block;
    for (const Json& sample : kept.of("sample")) {
      of_block[sample["block"]].push_back(sample["variant"]);
    }
    for (auto& [block, order] : of_block) {
      std::vector<int> sorted = order;
      std::sort(sorted.begin(), sorted.end());
      std::vector<int> all(outcome->variants.size());
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(sorted, all) << "block " << block;
    }
    return std::vector{of_block[0], of_block[1], of_block[2]};
  };
  EXPECT_EQ(orders(7), orders(7));
  EXPECT_NE(orders(7), orders(8));
}

TEST(Session, WarmupsAreMarkedAndNotCounted) {
  RecordList kept;
  const auto outcome = run_session(small_machine(), small_plan(), kept);
  std::map<int, std::vector<std::string>> roles;
  for (const Json& sample : kept.of("sample")) {
    roles[sample["variant"]].push_back(sample["role"]);
  }
  for (const VariantOutcome& one : outcome->variants) {
    const auto& seen = roles[one.variant.id];
    EXPECT_EQ(seen.front(), "warmup");
    EXPECT_EQ(seen.back(), "validation");
    EXPECT_EQ(std::count(seen.begin(), seen.end(), "timed"),
              static_cast<std::ptrdiff_t>(one.seconds.size()));
    EXPECT_GE(one.seconds.size(), 5U);
  }
}

TEST(Session, APlanThatCannotBeMetWritesNoRecord) {
  for (const auto& change : {+[](Plan& plan) { plan.kernels = {"quad"}; },
                             +[](Plan& plan) { plan.stores = {{"temporal"}}; },
                             +[](Plan& plan) { plan.memory_nodes = CpuList{7}; },
                             +[](Plan& plan) { plan.array_bytes = std::uint64_t{1} << 40U; },
                             +[](Plan& plan) {
                               plan.placement = {PlacementKind::kCpus, {5}, {}};
                             }}) {
    RecordList kept;
    Plan plan = small_plan();
    change(plan);
    const auto outcome = run_session(small_machine(), plan, kept);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().status, ExitStatus::kUsage);
    EXPECT_TRUE(kept.records.empty());
  }
}

// A machine with one node more than this one has; little of that node is free.
TEST(Session, IdleLatencyIsMeasuredWithoutTheChecksWhereItIsAskedFor) {
  RecordList kept;
  Plan plan = small_plan();
  Machine machine = small_machine();
  machine.memory_available_bytes = 256 * kMiB;
  plan.idle_latency = true;
  ASSERT_TRUE(run_session(machine, plan, kept));
  EXPECT_EQ(kept.of("plan").front()["idle_latency"], true);
  ASSERT_EQ(kept.of("latency").size(), 1U);
  EXPECT_TRUE(kept.of("latency").front()["nodes"].is_null());
  for (const Json& variant : kept.of("variant")) {
    EXPECT_EQ(variant["purpose"], "rate");
  }
}

TEST(Session, IdleLatencyThatCannotBeHadFailsAPlanThatAsksForItByName) {
  Plan plan = small_plan();
  Machine machine = small_machine();
  machine.memory_available_bytes = 100 * kMiB;
  plan.checks = true;
  RecordList without;
  const auto outcome = run_session(machine, plan, without);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  EXPECT_TRUE(without.of("latency").empty());
  plan.idle_latency = true;
  RecordList kept;
  const auto failed = run_session(machine, plan, kept);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->exit_status, 1);
  EXPECT_THAT(*failed->message, HasSubstr("but needs 64 MiB here"));
  EXPECT_EQ(kept.records.back()["reason"], "error");
  EXPECT_TRUE(kept.of("sample").empty());
}

Plan plan_with_stream_view() {
  Plan plan = small_plan();
  plan.kernels = {"copy", "triad"};
  plan.tiers = {{{"triad"}}};
  plan.stream_view = true;
  return plan;
}

TEST(Session, WhatStreamWouldPrintIsMeasuredInItsOrderAfterTheFirstTier) {
  RecordList kept;
  const auto outcome = run_session(small_machine(), plan_with_stream_view(), kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0) << outcome->message.value_or("");
  EXPECT_EQ(kept.of("plan").front()["stream_view"], true);
  ASSERT_EQ(kept.of("stream-view").size(), 1U);
  const Json view = kept.of("stream-view").front();
  EXPECT_EQ(view["threads"], 2);
  EXPECT_EQ(view["array_bytes"], 80'000);
  std::vector<std::string> kernels;
  for (const Json& kernel : view["kernels"]) {
    kernels.push_back(kernel["kernel"]);
    EXPECT_EQ(kernel["seconds"].size(), 9U);
    EXPECT_EQ(kernel["switches"].size(), 9U);
    EXPECT_EQ(kernel["bytes"], (kernel["kernel"] == "copy" || kernel["kernel"] == "scale")
                                   ? 2 * 80'000
                                   : 3 * 80'000);
  }
  EXPECT_THAT(kernels, testing::ElementsAre("copy", "scale", "add", "triad"));
  EXPECT_EQ(view["pairs"]["own_seconds"].size(), view["pairs"]["system_seconds"].size());
  EXPECT_LE(view["pairs"]["own_seconds"].size(), 8U);
}

TEST(Session, WhatStreamWouldPrintIsNotMeasuredUnasked) {
  RecordList kept;
  Plan plan = plan_with_stream_view();
  plan.stream_view = false;
  ASSERT_TRUE(run_session(small_machine(), plan, kept));
  EXPECT_TRUE(kept.of("stream-view").empty());
}

TEST(Session, TheThreadsHaveTheirCpusBackAfterTheyRanAsInStream) {
  const CpuList before = affinity_mask().value();
  RecordList kept;
  ASSERT_TRUE(run_session(small_machine(), plan_with_stream_view(), kept));
  ASSERT_EQ(kept.of("stream-view").size(), 1U);
  EXPECT_EQ(affinity_mask().value(), before);
}

// The first arrays make room for those of STREAM, and are there again for the check.
TEST(Session, WithoutMemoryForBothStreamIsMeasuredWithoutTheComparisonOfPages) {
  RecordList kept;
  Plan plan = plan_with_stream_view();
  Machine machine = small_machine();
  machine.memory_available_bytes = 400'000;
  const auto outcome = run_session(machine, plan, kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0) << outcome->message.value_or("");
  ASSERT_EQ(kept.of("stream-view").size(), 1U);
  EXPECT_TRUE(kept.of("stream-view").front()["pairs"].is_null());
  EXPECT_EQ(kept.of("memory").back()["arrays"].size(), 3U);
}

TEST(Session, WithoutTimeForItStreamIsLeftOut) {
  RecordList kept;
  Plan plan = plan_with_stream_view();
  plan.sampling.budget_seconds = 1e-6;
  ASSERT_TRUE(run_session(small_machine(), plan, kept));
  EXPECT_TRUE(kept.of("stream-view").empty());
}

TEST(Session, AMachineThatIsNotThisOneIsRefused) {
  RecordList kept;
  Machine machine = small_machine();
  machine.is_this_system = false;
  const auto outcome = run_session(machine, small_plan(), kept);
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("unset HWLOC_SYNTHETIC"));
}

TEST(Session, DisturbancesCoverEveryBlockOnce) {
  RecordList kept;
  ASSERT_TRUE(run_session(small_machine(), small_plan(), kept));
  int next = 0;
  for (const Json& disturbance : kept.of("disturbance")) {
    EXPECT_EQ(disturbance["first_block"], next);
    EXPECT_GE(disturbance["last_block"], next);
    next = disturbance["last_block"].get<int>() + 1;
  }
  EXPECT_EQ(next, kept.of("sample").back()["block"]);  // the validation's own block follows
}

TEST(Session, SamplesInTheCachesHaveAsManyPassesAsTheyNeed) {
  Plan plan = small_plan();
  plan.kernels.clear();
  for (const Kernel& kernel : kCatalogue) {
    plan.kernels.emplace_back(kernel.name);
  }
  plan.stores = {"plain", "regular", "streaming", "libc"};
  plan.array_bytes = 16 << 10;
  plan.sampling = {3, 3, 3, 1000.0};
  RecordList kept;
  const auto outcome = run_session(small_machine(), plan, kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  std::map<int, std::int64_t> passes;
  std::map<int, std::vector<double>> seconds_a_pass;
  std::map<int, double> longest_warmup;  // of one pass, which an emulator can make a long one
  for (const Json& sample : kept.of("sample")) {
    const std::int64_t number = sample["passes"];
    if (sample["role"] == "warmup" && number == 1) {
      double& longest = longest_warmup[sample["variant"]];
      longest = std::max(longest, sample["seconds"].get<double>());
    }
    if (sample["role"] != "timed") {
      continue;
    }
    EXPECT_TRUE(number > 1 || longest_warmup[sample["variant"]] >= 1e-3);
    EXPECT_EQ(number % 2, 1);
    EXPECT_EQ(passes.try_emplace(sample["variant"], number).first->second, number);
    seconds_a_pass[sample["variant"]].push_back(sample["seconds"].get<double>() /
                                                static_cast<double>(number));
  }
  EXPECT_EQ(passes.size(), outcome->variants.size());
  for (const VariantOutcome& variant : outcome->variants) {
    EXPECT_EQ(variant.valid, true) << variant.variant.kernel->name;
    EXPECT_EQ(variant.seconds, seconds_a_pass[variant.variant.id]);
  }
}

// The blocks of an epoch, without the validation's: timed samples of each variant, and seconds in
// which the kernels ran.
struct EpochBlock {
  std::map<int, int> timed;
  double seconds = 0.0;
};

std::map<int, std::map<int, EpochBlock>> blocks_by_epoch(const RecordList& kept) {
  std::map<int, std::map<int, EpochBlock>> epochs;
  for (const Json& sample : kept.of("sample")) {
    if (sample["role"] != "validation") {
      EpochBlock& block = epochs[sample["epoch"]][sample["block"]];
      block.timed[sample["variant"]] += sample["role"] == "timed" ? 1 : 0;
      block.seconds += sample["seconds"].get<double>();
    }
  }
  return epochs;
}

// How long the touch of the arrays takes is up to the machine, and with it when an epoch may end.
// The rule itself is tested by a made clock, in blocks_test.cpp; here the records must keep to it.
TEST(Session, ArraysAreAllocatedAfreshEverySoManyTimedBlocks) {
  constexpr int kEpochBlocks = 3;
  RecordList kept;
  Plan plan = small_plan();
  plan.array_bytes = 8'000;  // touched in no time
  plan.sampling = {9, 9, 9, 1000.0, kEpochBlocks};
  const auto outcome = run_session(small_machine(), plan, kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  const auto epochs = blocks_by_epoch(kept);
  const auto touches = kept.of("memory");
  ASSERT_EQ(epochs.size(), touches.size());
  EXPECT_LE(epochs.size(), 3U);
  int number = 0;
  for (const auto& [epoch, blocks] : epochs) {
    const Json& memory = touches.at(static_cast<std::size_t>(number));
    EXPECT_EQ(epoch, number);
    EXPECT_EQ(memory["epoch"], number);
    const double touch = memory["touch_seconds"];
    std::map<int, int> timed;
    double seconds = 0.0;  // of the samples so far, which are a part of the time that has passed
    for (const auto& [at, block] : blocks) {
      const bool had_enough =
          !timed.empty() && std::all_of(timed.begin(), timed.end(), [](const auto& of_variant) {
            return of_variant.second >= kEpochBlocks;
          });
      EXPECT_FALSE(had_enough && seconds >= 10.0 * touch)
          << "block " << at << " is still of epoch " << epoch;
      for (const auto& [variant, count] : block.timed) {
        timed[variant] += count;
      }
      seconds += block.seconds;
    }
    const bool is_last = ++number == static_cast<int>(epochs.size());
    for (const auto& [variant, count] : timed) {
      EXPECT_GE(count, is_last ? 1 : kEpochBlocks) << "variant " << variant << ", epoch " << epoch;
    }
  }
}

TEST(Session, ChecksAddForcedReadsAndASeriesOfThreads) {
  RecordList kept;
  Plan plan = small_plan();
  plan.kernels = {"sum", "copy", "update", "triad"};
  plan.checks = true;
  const auto outcome = run_session(small_machine(), plan, kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  std::vector<std::string> forced;
  std::vector<std::pair<std::string, int>> series;
  std::vector<int> ids;
  for (const Json& variant : kept.of("variant")) {
    ids.push_back(variant["id"]);
    if (variant["purpose"] == "forced-read") {
      EXPECT_EQ(variant["store"], "regular");
      EXPECT_FALSE(variant["shape"]["write_prefetch_bytes"].is_null());
      forced.push_back(variant["kernel"]);
    } else if (variant["purpose"] == "series") {
      series.emplace_back(variant["kernel"], variant["threads"]);
    }
  }
  if (kHasPrefetch) {
    EXPECT_THAT(forced, testing::ElementsAre("copy", "triad"));
  }
  EXPECT_THAT(series, testing::ElementsAre(std::pair("sum", 1), std::pair("sum", 2),
                                           std::pair("triad", 1), std::pair("triad", 2)));
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
  for (const Json& validation : kept.of("validation")) {
    EXPECT_EQ(validation["valid"], true) << validation;
  }
}

TEST(Session, EvidenceIsMeasuredAndCheckedInEveryBlockAndIsNoneOfTheKernelsAskedFor) {
  RecordList kept;
  Plan plan = small_plan();
  plan.kernels = {"triad"};
  plan.evidence = {"triad", "daxpy", "sdaxpy"};
  plan.checks = true;
  const auto outcome = run_session(small_machine(), plan, kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  EXPECT_EQ(kept.of("plan").front()["kernels"], Json::array({"triad"}));
  EXPECT_EQ(kept.of("plan").front()["evidence"], Json::array({"daxpy", "sdaxpy"}));
  std::map<int, std::string> evidence;
  for (const Json& variant : kept.of("variant")) {
    if (variant["purpose"] == "evidence") {
      evidence[variant["id"]] = variant["kernel"];
    }
  }
  ASSERT_EQ(evidence.size(), 2U);
  std::map<std::string, int> timed;
  for (const Json& sample : kept.of("sample")) {
    if (evidence.count(sample["variant"]) > 0 && sample["role"] == "timed") {
      ++timed[evidence[sample["variant"]]];
    }
  }
  EXPECT_GE(timed["daxpy"], plan.sampling.min_samples);
  EXPECT_GE(timed["sdaxpy"], plan.sampling.min_samples);
  std::size_t valid = 0;
  for (const Json& validation : kept.of("validation")) {
    valid += evidence.count(validation["variant"]) > 0 && validation["valid"] == true ? 1 : 0;
  }
  EXPECT_EQ(valid, evidence.size());
}

TEST(Session, ShapesAreChosenBeforeTheVariantsAreAnnounced) {
  Plan plan = small_plan();
  plan.stores = {"plain", "regular"};
  plan.tuning =
      TuningRequest{0.1, {{"copy", "regular", vector_targets().front().isa, {2, 0, {}, {}}}}};
  RecordList kept;
  ASSERT_TRUE(run_session(small_machine(), plan, kept));
  const std::vector<std::string> order = kept.kinds();
  const auto place = [&order](const char* name) {
    return std::find(order.begin(), order.end(), name) - order.begin();
  };
  EXPECT_LT(place("kernel"), place("tuning"));
  EXPECT_LT(place("tuning"), place("variant"));
  EXPECT_LT(place("variant"), place("sample"));
  EXPECT_EQ(kept.of("tuning").size(), 2U);
  std::vector<int> tuned;
  for (const Json& variant : kept.of("variant")) {
    if (variant["tuned"]) {
      tuned.push_back(variant["id"]);
      EXPECT_FALSE(kept.of("variant").at(static_cast<std::size_t>(tuned.back()) - 1)["tuned"]);
    }
  }
  EXPECT_FALSE(tuned.empty());
  for (const Json& validation : kept.of("validation")) {
    EXPECT_TRUE(validation["valid"]);
  }
}

// Two tiers, after which shapes are sought. No budget ends the run, however slow the machine.
Plan plan_with_late_search() {
  Plan plan = small_plan();
  plan.stores = {"plain", "regular"};
  plan.tiers = {{{"sum"}}, {{"copy"}}};
  plan.tuning = TuningRequest{0.1, {}};
  plan.tuning->first = false;
  return plan;
}

std::vector<std::string> names_of_kernels(const std::vector<Json>& records) {
  std::vector<std::string> names;
  for (const Json& record : records) {
    names.push_back(record["kernel"]);
  }
  return names;
}

TEST(Session, ShapesThatMayWaitAreSoughtAfterTheTiersAndThoseOfTheFirstTierFirst) {
  RecordList kept;
  const auto outcome = run_session(small_machine(), plan_with_late_search(), kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  EXPECT_THAT(names_of_kernels(kept.of("tuning")), testing::ElementsAre("sum", "copy"));
  std::map<int, int> timed;  // samples of each variant
  std::set<int> announced;
  bool is_sought = false;
  for (const Json& record : kept.records) {
    if (record["record"] == "variant") {
      EXPECT_TRUE(announced.insert(record["id"].get<int>()).second);
      EXPECT_EQ(record["tuned"], is_sought);  // whether a shape is quicker, the machine decides
    } else if (record["record"] == "sample") {
      EXPECT_TRUE(announced.contains(record["variant"].get<int>()));
      timed[record["variant"]] += record["role"] == "timed" ? 1 : 0;
    } else if (record["record"] == "tuning") {
      EXPECT_EQ(record["source"], "raced");
      is_sought = true;
      for (const int variant : announced) {
        EXPECT_GE(timed[variant], 5) << "variant " << variant;
      }
    }
  }
  EXPECT_EQ(kept.of("validation").size(), announced.size());
  for (const Json& validation : kept.of("validation")) {
    EXPECT_EQ(validation["valid"], true) << validation;
  }
}

TEST(Session, AShapeThatIsKnownIsNotSoughtAgain) {
  Plan plan = plan_with_late_search();
  plan.tuning->known = {{"copy", "regular", vector_targets().front().isa, {2, 0, {}, {}}}};
  RecordList kept;
  ASSERT_TRUE(run_session(small_machine(), plan, kept));
  const auto tunings = kept.of("tuning");
  EXPECT_THAT(names_of_kernels(tunings), testing::ElementsAre("copy", "sum"));
  EXPECT_EQ(tunings.front()["source"], "known");
  EXPECT_EQ(tunings.back()["source"], "raced");
}

TEST(Session, NoShapesAreSoughtWhereTheTiersTakeAllTheTime) {
  Plan plan = plan_with_late_search();
  plan.sampling.budget_seconds = 1e-9;
  RecordList kept;
  const auto outcome = run_session(small_machine(), plan, kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 0);
  EXPECT_TRUE(kept.of("tuning").empty());
  EXPECT_EQ(kept.of("end").front()["stopped_by"], "budget");
}

TEST(Session, AWorkingSetIsSharedByTheArraysThatTheKernelUses) {
  for (const auto& [kernel, bytes] :
       std::map<std::string, int>{{"sum", 96'000}, {"copy", 48'000}, {"triad", 32'000}}) {
    Plan plan = small_plan();
    plan.kernels = {kernel};
    plan.array_bytes.reset();
    plan.working_set_bytes = 96'000;
    RecordList kept;
    ASSERT_TRUE(run_session(small_machine(), plan, kept));
    EXPECT_EQ(kept.of("memory").front()["array_bytes"], bytes) << kernel;
    EXPECT_EQ(kept.of("plan").front()["working_set_bytes"], 96'000);
  }
}

TEST(Session, AWorkingSetOfKernelsWithUnlikeArraysIsRefused) {
  Plan plan = small_plan();
  plan.array_bytes.reset();
  plan.working_set_bytes = 96'000;
  RecordList kept;
  const auto refused = run_session(small_machine(), plan, kept);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("use different numbers of arrays"));
  plan.kernels = {"triad"};
  plan.working_set_bytes = 16;
  const auto empty = run_session(small_machine(), plan, kept);
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message, HasSubstr("leaves no element for each of 3 arrays"));
}

TEST(Session, TheCoreClockIsMeasuredWhereItIsAskedFor) {
  Plan plan = small_plan();
  RecordList without;
  ASSERT_TRUE(run_session(small_machine(), plan, without));
  EXPECT_TRUE(without.of("core-clock").empty());
  plan.core_clock = true;
  RecordList with;
  ASSERT_TRUE(run_session(small_machine(), plan, with));
  EXPECT_EQ(with.of("core-clock").size(), 1U);
}

}  // namespace
}  // namespace streamgage::engine
