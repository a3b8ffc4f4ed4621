#include <algorithm>
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_lines.hpp"
#include "kernels/catalogue.hpp"
#include "measure/testing/small_machine.hpp"
#include "node/node_line.hpp"
#include "node/node_result.hpp"
#include "node/node_table.hpp"
#include "node/request.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

VariantOutcome samples_of(KernelId id, StoreMode store, std::vector<double> seconds) {
  VariantOutcome outcome;
  outcome.variant.kernel = std::find_if(kCatalogue.begin(), kCatalogue.end(),
                                        [id](const Kernel& kernel) { return kernel.id == id; });
  outcome.variant.store = store;
  outcome.variant.isa = "AVX3_ZEN4";
  outcome.seconds = std::move(seconds);
  outcome.valid = true;
  return outcome;
}

Machine quiet_machine() {
  Machine machine = small_machine();
  machine.host = "n1";
  machine.online_cpus = machine.allowed_cpus = {0, 1};
  machine.processor = "Model 7";
  machine.huge_pages = "always";
  return machine;
}

// A run of ten seconds of two threads, in which nothing is wrong: triad takes 24 ms for arrays of
// 10^7 doubles, so it moves 10 GB/s.
Outcome good_outcome() {
  Outcome outcome;
  outcome.threads = 2;
  outcome.seconds = 10.0;
  Circumstances& around = outcome.circumstances;
  around.asked_threads = 2;
  around.cpus = {0, 1};
  around.bound = true;
  around.arrays = 3;
  around.size.bytes = 80'000'000;
  around.size.elements = 10'000'000;
  around.size.rule_bytes = 80'000'000;
  around.last_level_cache_bytes = 20'000'000;
  around.disturbance.seconds = 10.0;
  around.disturbance.other_seconds = 0.1;
  around.disturbance.steal_seconds = 0.0;
  outcome.variants = {samples_of(KernelId::kTriad, StoreMode::kPlain,
                                 {0.024, 0.024, 0.020, 0.024, 0.024, 0.030, 0.024}),
                      samples_of(KernelId::kTriad, StoreMode::kStreaming, {0.012, 0.012})};
  return outcome;
}

std::vector<std::string> codes_of(const Machine& machine, const Outcome& outcome) {
  std::vector<std::string> codes;
  for (const Warning& each : node_result(machine, Plan{}, outcome).warnings) {
    codes.push_back(each.code);
  }
  return codes;
}

TEST(NodeResult, RatesAreNominalBytesOverTheTimeOfEachSample) {
  const Machine machine = quiet_machine();
  const NodeResult result = node_result(machine, Plan{}, good_outcome());
  ASSERT_EQ(result.figures.size(), 2U);
  EXPECT_EQ(result.figures[0].nominal_bytes, 24U);
  EXPECT_DOUBLE_EQ(result.figures[0].rate.median, 10e9);
  EXPECT_DOUBLE_EQ(result.figures[0].rate.maximum, 12e9);
  EXPECT_FALSE(result.figures[1].rate.interval);  // of two samples
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST(NodeWarnings, EachConditionHasItsCode) {
  const Machine quiet = quiet_machine();
  const auto codes_after = [&](const auto& spoil) {
    Outcome outcome = good_outcome();
    spoil(outcome);
    return codes_of(quiet, outcome);
  };
  EXPECT_THAT(codes_after([](Outcome& o) { o.variants[0].valid = false; }), ElementsAre("invalid"));
  EXPECT_THAT(codes_after([](Outcome& o) { o.variants[0].valid = std::nullopt; }),
              ElementsAre("unfinished"));
  EXPECT_THAT(codes_after([](Outcome& o) { o.circumstances.bound = false; }),
              ElementsAre("not-bound"));
  EXPECT_THAT(codes_after([](Outcome& o) { o.circumstances.asked_threads = 4; }),
              ElementsAre("fewer-cpus"));
  EXPECT_THAT(codes_after([](Outcome& o) { o.circumstances.size.bytes = 40'000'000; }),
              ElementsAre("below-4x-rule"));
  EXPECT_THAT(codes_after([](Outcome& o) { o.circumstances.disturbance.other_seconds = 1.0; }),
              ElementsAre("other-load"));
  EXPECT_THAT(codes_after([](Outcome& o) { o.circumstances.disturbance.steal_seconds = 1.0; }),
              ElementsAre("steal"));
  EXPECT_THAT(codes_after([](Outcome& o) { o.circumstances.disturbance.throttled_seconds = 0.5; }),
              ElementsAre("cpu-quota"));
  Machine limited = quiet;
  limited.cpu_quota = 1.5;
  EXPECT_THAT(codes_of(limited, good_outcome()), ElementsAre("cpu-quota"));
  Machine confined = quiet;
  confined.online_cpus = {0, 1, 2, 3};
  EXPECT_THAT(codes_of(confined, good_outcome()), ElementsAre("confined"));
}

TEST(NodeTable, SaysWhatTheFiguresMeanAndHowToQuoteThem) {
  const Machine machine = quiet_machine();
  const std::string table = format_table(node_result(machine, Plan{}, good_outcome()));
  EXPECT_THAT(table, HasSubstr("GB/s"));
  EXPECT_THAT(table, testing::ContainsRegex("triad +plain +10\\.0 +[0-9.]+ to [0-9.]+ +12\\.0 +7"));
  EXPECT_THAT(table, testing::ContainsRegex("triad +streaming +20\\.0 +- +20\\.0 +2"));
  EXPECT_THAT(table, HasSubstr("1.33 times as much"));
  EXPECT_THAT(table, HasSubstr("triad 10.0 GB/s plain, 20.0 GB/s with streaming stores"));
  EXPECT_THAT(table, HasSubstr("STREAM benchmark"));
  EXPECT_THAT(table, Not(HasSubstr("Warning")));
  std::size_t longest = 0;
  for (std::string_view rest = table; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    longest = std::max(longest, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  EXPECT_LE(longest, 80U);
}

TEST(NodeTable, AWrongResultIsMarkedAndNotQuoted) {
  const Machine machine = quiet_machine();
  Outcome outcome = good_outcome();
  outcome.variants[0].valid = false;
  const std::string table = format_table(node_result(machine, Plan{}, outcome));
  EXPECT_THAT(table, HasSubstr("WRONG"));
  EXPECT_THAT(table, HasSubstr("Warning (invalid)"));
  EXPECT_THAT(table, Not(HasSubstr("Quote")));
}

TEST(NodeTable, TheQuoteNamesTheWarnings) {
  const Machine machine = quiet_machine();
  Outcome outcome = good_outcome();
  outcome.circumstances.disturbance.steal_seconds = 5.0;
  const std::string table = format_table(node_result(machine, Plan{}, outcome));
  EXPECT_THAT(table, HasSubstr("with care: steal"));
}

TEST(NodeTable, FewSamplesNextToOtherProgramsAreNotQuoted) {
  const Machine machine = quiet_machine();
  Outcome outcome = good_outcome();
  outcome.circumstances.disturbance.other_seconds = 10.0;
  outcome.variants[0].seconds.resize(5);
  outcome.variants[1].is_disturbed = true;
  const std::string table = format_table(node_result(machine, Plan{}, outcome));
  EXPECT_THAT(table, HasSubstr("Every sample of triad streaming was disturbed"));
  EXPECT_THAT(table, HasSubstr("Warning (other-load)"));
  EXPECT_THAT(table, Not(HasSubstr("Quote")));
}

TEST(NodeLine, TheLargestOneFitsIntoAPipeAtOnce) {
  Machine machine = quiet_machine();
  machine.host = std::string(253, 'n');
  machine.processor = std::string(500, 'p');
  machine.kernel = std::string(500, 'k');
  machine.hypervisor = std::string(500, 'h');
  machine.cpu_quota = 0.12345678901;
  Outcome outcome = good_outcome();
  outcome.variants.assign(kMostFiguresOfLine, outcome.variants[0]);
  outcome.variants.front().valid = false;
  for (VariantOutcome& each : outcome.variants) {
    each.variant.kernel = &kCatalogue[10];
    each.variant.store = StoreMode::kStreaming;
    for (double& seconds : each.seconds) {
      seconds /= 12345.678;
    }
  }
  outcome.circumstances.bound = false;
  outcome.circumstances.asked_threads = 4;
  outcome.circumstances.disturbance = {0, 9, 10.0, 5.0, 5.0, 5.0};
  outcome.circumstances.size.rule_bytes = kGiB;
  outcome.circumstances.cpus.clear();
  for (int cpu = 0; cpu < 8192; cpu += 2) {
    outcome.circumstances.cpus.push_back(cpu);
  }
  const std::string line = format_line(node_result(machine, Plan{}, outcome));
  EXPECT_LE(line.size(), kMostBytesOfLine);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  const Json record = Json::parse(line);
  EXPECT_EQ(record["figures"].size(), kMostFiguresOfLine);
  EXPECT_FALSE(record.contains("cpus"));
}

TEST(NodeLine, WhereManyCoresAreMeasuredThoseFarFromTheMedianAreKept) {
  const Machine machine = quiet_machine();
  NodeResult result = node_result(machine, Plan{}, good_outcome());
  result.parts.domains = {{0, 40e9}, {1, 41e9}};
  for (int core = 0; core < 512; ++core) {
    result.parts.cores.push_back({core, core == 77 ? 5e9 : 10e9 + 1e7 * (core % 7)});
  }
  const std::string line = format_line(result);
  EXPECT_LE(line.size(), kMostBytesOfLine);
  const Json record = Json::parse(line);
  EXPECT_EQ(record["domains"], Json::parse(R"([{"number":0,"gbps":40},{"number":1,"gbps":41}])"));
  EXPECT_GT(record["cores"].size(), 50U);
  const Json slow = Json::parse(R"({"number":77,"gbps":5})");
  EXPECT_TRUE(std::any_of(record["cores"].begin(), record["cores"].end(),
                          [&](const Json& each) { return each == slow; }));
}

TEST(NodeTable, TheSlowestCoresAreNamed) {
  const Machine machine = quiet_machine();
  NodeResult result = node_result(machine, Plan{}, good_outcome());
  EXPECT_THAT(format_table(result), Not(HasSubstr("by itself")));
  result.parts.cores = {{0, 10e9}, {1, 5e9}, {2, 10.2e9}};
  const std::string table = format_table(result);
  EXPECT_THAT(table, HasSubstr("Plain triad in each core by itself"));
  EXPECT_THAT(table, HasSubstr("5.00 (number 1)"));
}

TEST(NodeLine, HasWhatDistinguishesNodesOfAFleet) {
  Machine machine = quiet_machine();
  const MemoryModule module{"A1", std::nullopt, 32 * kGiB, "DDR5", 64, 4800, 4800};
  machine.memory_modules = {module, module, MemoryModule{}};
  NodeResult result = node_result(machine, Plan{}, good_outcome());
  result.firmware = {"1.8", "0xa1"};
  const Json record = Json::parse(format_line(result));
  EXPECT_EQ(record["modules"], "2 x 32 GiB DDR5-4800");
  EXPECT_EQ(record["bios"], "1.8");
  EXPECT_EQ(record["microcode"], "0xa1");
  EXPECT_EQ(record["figures"][0]["samples"], (Json{10, 10, 12, 10, 10, 8, 10}));
  machine.memory_modules.clear();
  EXPECT_FALSE(Json::parse(format_line(result)).contains("modules"));
}

MeasuredDevice gpu() {
  MeasuredDevice device;
  device.facts.id = "cuda:2";
  device.facts.name = "Example GPU";
  device.facts.interface = "CUDA";
  device.facts.kind = "gpu";
  device.facts.memory_bytes = 80 * kGiB;
  return device;
}

DeviceState state_of(int others, std::vector<std::string> slowed_by) {
  DeviceState state;
  state.limit_watts = 700.0;
  state.other_processes = others;
  state.slowed_by = std::move(slowed_by);
  return state;
}

TEST(NodeLine, OfADeviceHasTheDeviceInPlaceOfTheProcessor) {
  const Machine machine = quiet_machine();
  MeasuredDevice device = gpu();
  device.states.add(state_of(0, {}));
  const Json record =
      Json::parse(format_line(node_result(machine, Plan{}, good_outcome(), device)));
  EXPECT_EQ(record["host"], "n1");
  EXPECT_EQ(record["device"]["id"], "cuda:2");
  EXPECT_EQ(record["device_state"]["limit_watts"], 700.0);
  EXPECT_EQ(record["figures"][0]["gbps"], 10.0);
  EXPECT_FALSE(record.contains("warnings"));
  for (const char* of_processor : {"processor", "threads", "cpus", "taken", "domains"}) {
    EXPECT_FALSE(record.contains(of_processor)) << of_processor;
  }
}

TEST(NodeLine, OfADeviceFitsIntoAPipeAtOnceWithAllKernels) {
  const Machine machine = quiet_machine();
  Outcome outcome = good_outcome();
  outcome.variants.assign(kCatalogue.size(), outcome.variants[0]);
  outcome.variants.front().seconds.assign(100, 0.0123456789);
  MeasuredDevice device = gpu();
  device.facts.driver = std::string(300, 'd');
  device.facts.name = std::string(200, 'n');
  device.states.add(state_of(7, {"power-cap", "software-thermal", "hardware-thermal"}));
  const std::string line = format_line(node_result(machine, Plan{}, outcome, device));
  EXPECT_LE(line.size(), kMostBytesOfLine);
  EXPECT_EQ(Json::parse(line)["figures"].size(), kCatalogue.size());
}

TEST(NodeWarnings, OfADeviceAreOfTheDeviceAlone) {
  const Machine machine = quiet_machine();
  MeasuredDevice device = gpu();
  device.states.add(state_of(2, {"power-cap"}));
  device.states.add(state_of(1, {}));
  Outcome outcome = good_outcome();
  outcome.circumstances.bound = false;
  outcome.circumstances.disturbance.other_seconds = 9.0;
  outcome.variants[0].valid = false;
  const NodeResult result = node_result(machine, Plan{}, outcome, device);
  ASSERT_EQ(result.warnings.size(), 3U);
  EXPECT_EQ(result.warnings[0].code, "invalid");
  EXPECT_THAT(result.warnings[0].text, HasSubstr("Test the memory and the device of this machine"));
  EXPECT_EQ(result.warnings[1].code, "device-slowed");
  EXPECT_THAT(result.warnings[1].text, HasSubstr("its power limit (in 1 of 2 readings)"));
  EXPECT_EQ(result.warnings[2].disturbance, "2 other processes had the device open");
  const std::string table = format_table(result);
  EXPECT_THAT(table, HasSubstr("on n1: Example GPU (cuda:2)"));
  EXPECT_THAT(table, Not(HasSubstr("thread")));
}

TEST(NodeLine, TextThatIsNoUtf8IsStillJson) {
  Machine machine = quiet_machine();
  machine.processor = "\xff\xfe";
  EXPECT_FALSE(
      Json::parse(format_line(node_result(machine, Plan{}, good_outcome())), nullptr, false)
          .is_discarded());
}

TEST(NodeRequest, WhatCannotBeMeasuredIsRefused) {
  const auto refused = [](const auto& change) {
    NodeRequest request;
    change(request);
    const auto plan = plan_of(request);
    return plan ? std::string("accepted") : plan.error().message;
  };
  EXPECT_EQ(refused([](NodeRequest&) {}), "accepted");
  EXPECT_THAT(refused([](NodeRequest& r) { r.seconds = 0; }), HasSubstr("--seconds"));
  EXPECT_THAT(refused([](NodeRequest& r) { r.seconds = NAN; }), HasSubstr("--seconds"));
  EXPECT_THAT(refused([](NodeRequest& r) { r.threads = 0; }), HasSubstr("--threads"));
  EXPECT_THAT(refused([](NodeRequest& r) { r.array_bytes = 0; }), HasSubstr("--size"));
  EXPECT_THAT(refused([](NodeRequest& r) { r.kernels = {"quad"}; }), HasSubstr("quad"));
  const auto all = [](NodeRequest& r) {
    r.kernels.clear();
    for (const Kernel& each : kCatalogue) {
      r.kernels.emplace_back(each.name);
    }
    r.stores = {"plain", "regular"};
  };
  EXPECT_EQ(refused(all), "accepted");
  EXPECT_THAT(refused([&](NodeRequest& r) {
                all(r);
                r.as_json = true;
              }),
              HasSubstr("at most 16 figures"));
}

}  // namespace
}  // namespace streamgage::engine
