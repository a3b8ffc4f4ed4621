#include "measure/traffic/source_trial.hpp"

#include <set>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json_lines.hpp"
#include "measure/testing/simulated_bus.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kArrayBytes = 64'000'000;

std::vector<Variant> known_variants(int arrays = 3) {
  return variants_of_known_traffic(Plan{}, arrays);
}

std::vector<std::string> names(const std::vector<Variant>& variants) {
  std::vector<std::string> found;
  for (const Variant& variant : variants) {
    found.push_back(fmt::format("{} {}", variant.kernel->name, name_of(variant.store)));
  }
  return found;
}

SourceTrial try_on(SimulatedBus& bus, const SimulatedSource::Manner& manner,
                   std::optional<double> peak = {}) {
  SimulatedSource source(bus, manner);
  TrialRequest request;
  request.variants = known_variants();
  request.array_bytes = kArrayBytes;
  request.peak = peak;
  request.idle_seconds = 0.0;  // the bus has a clock of its own
  return try_source(source, request, [&bus](const Variant& variant, std::int64_t passes) {
    return bus.run(variant, passes, kArrayBytes);
  });
}

TEST(VariantsOfKnownTraffic, ReadOnlyReadWhatTheyWriteOrWriteOnly) {
  const auto found = names(known_variants());
  EXPECT_THAT(found, testing::Contains("sum regular"));
  EXPECT_THAT(found, testing::Contains("update regular"));
  for (const Variant& variant : known_variants()) {
    EXPECT_TRUE(!variant.kernel->write_allocates() || variant.store == StoreMode::kStreaming);
  }
#if defined(__x86_64__)
  EXPECT_THAT(found,
              testing::UnorderedElementsAre("init streaming", "sum regular", "update regular"));
#endif
}

TEST(VariantsOfKnownTraffic, NeedNoMoreArraysThanThereAre) {
  EXPECT_THAT(names(known_variants(1)), testing::Not(testing::Contains("sum regular")));
  EXPECT_THAT(names(known_variants(1)), testing::Contains("update regular"));
}

TEST(SourceTrial, AcceptsASourceThatSeesWhatTheKernelsMove) {
  SimulatedBus bus;
  const auto trial = try_on(bus, {});
  EXPECT_TRUE(trial.calibration.is_accepted) << trial.calibration.reason;
  const auto record = to_record(trial);
  EXPECT_EQ(record["record"], "calibration");
  EXPECT_EQ(record["accepted"], true);
  EXPECT_TRUE(record["reason"].is_null());
  EXPECT_EQ(record["runs"].size(), known_variants().size());
  for (const auto& run : record["runs"]) {
    EXPECT_NEAR(run["read"].get<double>(), run["expected_read"].get<double>(), 64.0);
    EXPECT_NEAR(run["written"].get<double>(), run["expected_written"].get<double>(), 64.0);
    EXPECT_EQ(run["store"].is_null(), run["kernel"] == "sum");
    EXPECT_LT(std::abs(run["deviation"].get<double>()), 1e-6);
  }
}

TEST(SourceTrial, SubtractsAndReportsTheIdleMachine) {
  SimulatedBus bus;
  bus.idle_read_rate = 0.2e9;  // a fifth of what the kernels move
  bus.idle_write_rate = 0.1e9;
  const auto trial = try_on(bus, {});
  EXPECT_TRUE(trial.calibration.is_accepted) << trial.calibration.reason;
  const auto record = to_record(trial);
  EXPECT_NEAR(record["idle_read"].get<double>(), 0.2e9, 1e3);
  EXPECT_NEAR(record["idle_written"].get<double>(), 0.1e9, 1e3);
  EXPECT_NEAR(record["idle_total"].get<double>(), 0.3e9, 1e3);
  EXPECT_NEAR(record["idle_seconds"].get<double>(), 0.3, 1e-6);
}

TEST(SourceTrial, RunsEachKernelForLongEnough) {
  SimulatedBus bus;
  bus.rate = 64e9;  // a pass of sum takes a millisecond
  const auto trial = try_on(bus, {});
  for (const CalibrationRun& run : trial.runs) {
    EXPECT_GE(run.expected_read + run.expected_written, 0.05 * bus.rate) << run.kernel;
  }
}

TEST(SourceTrial, RejectsASourceThatSeesAPart) {
  SimulatedBus bus;
  const auto trial = try_on(bus, {.share_seen = 0.5});
  EXPECT_FALSE(trial.calibration.is_accepted);
  EXPECT_THAT(trial.calibration.reason, HasSubstr("-50.0 % of its traffic"));
  const auto record = to_record(trial);
  EXPECT_EQ(record["accepted"], false);
  EXPECT_EQ(record["reason"], trial.calibration.reason);
}

// Another program also moves `share` of each kernel's traffic, in those of its counted runs.
SourceTrial try_with_bursts(double share, const std::set<int>& bursts) {
  SimulatedBus bus;
  SimulatedSource source(bus, {});
  TrialRequest request;
  request.variants = known_variants();
  request.array_bytes = kArrayBytes;
  request.idle_seconds = 0.0;
  int calls = 0;
  const Kernel* last = nullptr;
  return try_source(source, request, [&](const Variant& variant, std::int64_t passes) {
    calls = std::exchange(last, variant.kernel) == variant.kernel ? calls + 1 : 1;
    const double before = bus.bytes_read + bus.bytes_written;
    const double seconds = bus.run(variant, passes, kArrayBytes);
    if (calls % 2 == 0 && bursts.contains(calls / 2)) {  // every other call is not counted
      bus.bytes_read += share * (bus.bytes_read + bus.bytes_written - before);
    }
    return seconds;
  });
}

TEST(SourceTrial, IsNotRejectedForOneBurstOfAnotherProgram) {
  for (const int burst : {1, 2, 3}) {
    const auto trial = try_with_bursts(0.05, {burst});
    EXPECT_TRUE(trial.calibration.is_accepted) << trial.calibration.reason;
    const Json record = to_record(trial);
    for (const Json& run : record["runs"]) {
      EXPECT_LT(std::abs(run["deviation"].get<double>()), 1e-6);
    }
  }
}

TEST(SourceTrial, IsRejectedForWhatDisturbsMostOfItsRuns) {
  EXPECT_FALSE(try_with_bursts(0.05, {1, 2}).calibration.is_accepted);
  EXPECT_FALSE(try_with_bursts(0.05, {1, 2, 3}).calibration.is_accepted);
}

TEST(SourceTrial, RejectsASourceThatSeesNothing) {
  SimulatedBus bus;
  EXPECT_THAT(try_on(bus, {.share_seen = 0.0}).calibration.reason, HasSubstr("no traffic at all"));
}

TEST(SourceTrial, RejectsWhatIsAboveThePeak) {
  SimulatedBus bus;
  bus.rest_seconds = 0.0;
  bus.rate = 200e9;
  // No time passes at rest, so that the idle machine is unknown.
  EXPECT_FALSE(try_on(bus, {}).calibration.is_accepted);
  bus.rest_seconds = 1e-3;
  EXPECT_TRUE(try_on(bus, {}, 250e9).calibration.is_accepted);
  EXPECT_THAT(try_on(bus, {}, 150e9).calibration.reason, HasSubstr("above the theoretical peak"));
}

TEST(SourceTrial, ComparesTotalsWhereThereIsNoMore) {
  SimulatedBus bus;
  const auto trial = try_on(bus, {.total_only = true, .packages = 2});
  EXPECT_TRUE(trial.calibration.is_accepted) << trial.calibration.reason;
  EXPECT_TRUE(to_record(trial)["runs"][0]["read"].is_null());
  EXPECT_TRUE(to_record(trial)["idle_read"].is_null());
}

TEST(SourceTrial, AcceptsCountersThatTakeTurns) {
  SimulatedBus bus;
  EXPECT_TRUE(try_on(bus, {.running_share = 0.5}).calibration.is_accepted);
}

TEST(SourceTrial, OfACounterThatDiesIsRejectedWithItsReason) {
  for (const int readings : {1, 3}) {  // at rest; with the first kernel
    SimulatedBus bus;
    const auto trial = try_on(bus, {.readings_until_death = readings});
    EXPECT_FALSE(trial.calibration.is_accepted);
    EXPECT_THAT(trial.calibration.reason, HasSubstr("cannot be read any more"));
    EXPECT_EQ(to_record(trial)["idle_total"].is_null(), readings == 1);
  }
}

}  // namespace
}  // namespace streamgage::engine
