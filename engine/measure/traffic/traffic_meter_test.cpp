#include "measure/traffic/traffic_meter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "measure/testing/simulated_bus.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

constexpr double kMeteredBytes = 64e6;

Variant triad(StoreMode store) {
  Variant variant;
  variant.kernel = find_kernel("triad").value();
  variant.store = store;
  return variant;
}

// A meter on a bus, with what the bus does at rest as its baseline.
class Bench {
 public:
  explicit Bench(const SimulatedSource::Manner& manner, const SimulatedBus& start = {},
                 bool is_replayed = false)
      : bus_(start), meter_(make(manner, is_replayed)) {}

  std::optional<CountedSamples> sample(const Variant& variant, int block) {
    meter_.start();
    bus_.run(variant, 1, kMeteredBytes);
    meter_.stop();
    return meter_.take(variant.id, block, 1);
  }

  SimulatedBus& bus() { return bus_; }
  TrafficMeter& meter() { return meter_; }

 private:
  TrafficMeter make(const SimulatedSource::Manner& manner, bool is_replayed) {
    auto source = std::make_unique<SimulatedSource>(bus_, manner);
    const Reading before = source->read();
    IdleBaseline baseline(traffic_between(source->counters(), before, source->read()));
    return {std::move(source), is_replayed, std::move(baseline)};
  }

  SimulatedBus bus_;
  TrafficMeter meter_;
};

TEST(TrafficMeter, ShowsThreeReadsAWriteOfOrdinaryStoresAndTwoOfStreamingOnes) {
  Bench bench({});
  for (const auto& [store, reads] :
       {std::pair(StoreMode::kRegular, 3.0), std::pair(StoreMode::kStreaming, 2.0)}) {
    const auto counted = bench.sample(triad(store), 4);
    ASSERT_TRUE(counted);
    const Volume volume = whole_volume(counted->traffic).value();
    EXPECT_NEAR(*volume.read, reads * kMeteredBytes, 64.0);
    EXPECT_NEAR(*volume.written, kMeteredBytes, 64.0);
    EXPECT_EQ(counted->block, 4);
    EXPECT_EQ(counted->samples, 1);
    EXPECT_EQ(counted->passes, 1);
  }
}

TEST(TrafficMeter, SubtractsTheIdleMachineFromEveryPackage) {
  SimulatedBus busy;
  busy.idle_read_rate = 0.4e9;
  busy.idle_write_rate = 0.2e9;
  Bench bench({.packages = 2}, busy);
  const auto counted = bench.sample(triad(StoreMode::kRegular), 0);
  ASSERT_TRUE(counted);
  ASSERT_EQ(counted->traffic.domains.size(), 2U);
  for (const DomainTraffic& domain : counted->traffic.domains) {
    EXPECT_NEAR(domain.volume->read.value(), 1.5 * kMeteredBytes, 1e3);
    EXPECT_NEAR(domain.volume->written.value(), 0.5 * kMeteredBytes, 1e3);
    EXPECT_NEAR(domain.volume->total, 2.0 * kMeteredBytes, 1e3);
  }
}

TEST(TrafficMeter, TakesShortSamplesOfAVariantTogether) {
  SimulatedBus quick;
  quick.rest_seconds = 1e-4;
  quick.rate = 32e9;  // 8 ms for a sample, and a bit for the readings
  Bench bench({}, quick);
  Variant other = triad(StoreMode::kStreaming);
  other.id = 1;
  EXPECT_FALSE(bench.sample(triad(StoreMode::kRegular), 3));
  EXPECT_FALSE(bench.sample(other, 3));
  EXPECT_FALSE(bench.sample(triad(StoreMode::kRegular), 4));
  const auto counted = bench.sample(triad(StoreMode::kRegular), 5);
  ASSERT_TRUE(counted);
  EXPECT_EQ(counted->variant, 0);
  EXPECT_EQ(counted->block, 3);
  EXPECT_EQ(counted->samples, 3);
  EXPECT_EQ(counted->passes, 3);
  EXPECT_NEAR(whole_volume(counted->traffic)->read.value(), 9.0 * kMeteredBytes, 1e3);
  EXPECT_FALSE(bench.sample(triad(StoreMode::kRegular), 6));  // a new group
}

TEST(TrafficMeter, DoesNotCountWhatLiesBetweenSamples) {
  Bench bench({});
  bench.sample(triad(StoreMode::kRegular), 0);
  bench.bus().run(triad(StoreMode::kRegular), 50, kMeteredBytes);
  const auto counted = bench.sample(triad(StoreMode::kRegular), 1);
  EXPECT_NEAR(whole_volume(counted->traffic)->total, 4.0 * kMeteredBytes, 128.0);
}

TEST(TrafficMeter, LosesADomainWithACounterThatDiedAndCountsNoMore) {
  Bench bench({.packages = 2, .readings_until_death = 5});
  EXPECT_TRUE(bench.sample(triad(StoreMode::kRegular), 0));
  EXPECT_TRUE(bench.meter().is_counting());
  const auto counted = bench.sample(triad(StoreMode::kRegular), 1);
  ASSERT_TRUE(counted);
  EXPECT_FALSE(bench.meter().is_counting());
  const auto record = to_record(*counted);
  EXPECT_NEAR(record["domains"][0]["bytes_total"].get<double>(), 2.0 * kMeteredBytes, 128.0);
  EXPECT_TRUE(record["domains"][0]["reason"].is_null());
  for (const char* what : {"bytes_read", "bytes_written", "bytes_total"}) {
    EXPECT_TRUE(record["domains"][1][what].is_null()) << what;
  }
  EXPECT_THAT(record["domains"][1]["reason"].get<std::string>(), HasSubstr("No such device"));
}

TEST(TrafficMeter, ReportsATotalAloneWhereTheSourceDoes) {
  Bench bench({.total_only = true});
  const auto record = to_record(bench.sample(triad(StoreMode::kRegular), 0).value());
  EXPECT_TRUE(record["domains"][0]["bytes_read"].is_null());
  EXPECT_TRUE(record["domains"][0]["bytes_written"].is_null());
  EXPECT_NEAR(record["domains"][0]["bytes_total"].get<double>(), 4.0 * kMeteredBytes, 128.0);
  EXPECT_TRUE(record["domains"][0]["reason"].is_null());
}

TEST(TrafficMeter, ScalesCountersThatTakeTurnsAndReportsTheirShare) {
  Bench bench({.running_share = 0.5});
  const auto counted = bench.sample(triad(StoreMode::kRegular), 0);
  EXPECT_NEAR(counted->traffic.running_share, 0.5, 1e-6);
  EXPECT_NEAR(whole_volume(counted->traffic)->read.value(), 3.0 * kMeteredBytes, 1e3);
}

TEST(TrafficMeter, MarksWhatIsPlayedBack) {
  Bench bench({}, {}, true);
  const auto record = to_record(bench.sample(triad(StoreMode::kRegular), 7).value());
  EXPECT_EQ(record["record"], "traffic");
  EXPECT_EQ(record["replayed"], true);
  EXPECT_EQ(record["source"], "a simulated bus");
  EXPECT_EQ(record["block"], 7);
}

}  // namespace
}  // namespace streamgage::engine
