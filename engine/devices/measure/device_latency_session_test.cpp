#include "devices/measure/device_latency_session.hpp"

#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "devices/testing/host_device.hpp"
#include "measure/stop_signal.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_machine.hpp"
#include "streamgage/base/testing/new_process.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

LatencyPlan latency_of_sizes(std::vector<std::uint64_t> sizes) {
  LatencyPlan plan;
  plan.device = "host:0";
  plan.chain_bytes = std::move(sizes);
  plan.rounds = 2;
  plan.seed = 7;
  return plan;
}

RunEnd run_latency(const LatencyPlan& plan, HostDevice& device, RecordList& records) {
  const Machine machine = small_machine();
  auto outcome = run_device_latency_session(machine, plan, device, records);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome.value_or(RunEnd{});
}

TEST(DeviceLatencySession, EveryWorkingSetIsMeasuredOnceARound) {
  HostDevice device;
  RecordList records;
  EXPECT_EQ(
      run_latency(latency_of_sizes({8 * kKiB, 32 * kKiB, 4 * kMiB}), device, records).exit_status,
      0);
  EXPECT_EQ(records.records.front()["record"], "machine");
  EXPECT_EQ(records.of("device").front()["id"], "host:0");
  EXPECT_EQ(records.of("device-clock").front()["timed_by"], "events");
  const auto latencies = records.of("latency");
  ASSERT_EQ(latencies.size(), 6U);
  std::set<std::pair<std::uint64_t, int>> seen;
  for (const Json& each : latencies) {
    seen.emplace(each["bytes"], each["block"]);
    EXPECT_TRUE(each["cpu"].is_null());
    EXPECT_GE(each["repeats"], 7);
    const double load =
        each["bytes"] <= device.facts().cache_bytes ? kHostCacheSeconds : kHostMemorySeconds;
    EXPECT_NEAR(each["seconds"], load, 0.01 * load);  // a launch is a part of a walk
  }
  EXPECT_EQ(seen.size(), 6U);
  EXPECT_EQ(records.of("end").back()["reason"], "complete");
  EXPECT_EQ(records.of("end").back()["blocks"], 2);
}

TEST(DeviceLatencySession, AWalkTakesMilliseconds) {
  HostDevice device;
  RecordList records;
  run_latency(latency_of_sizes({8 * kKiB}), device, records);
  for (const Json& each : records.of("latency")) {
    EXPECT_GE(each["seconds"].get<double>() * each["loads"].get<double>(), 0.002);
  }
}

TEST(DeviceLatencySession, ALineIsAsLongAsTheDriverSays) {
  HostDevice device;
  RecordList records;
  device.changed_facts().line_bytes = 64;
  run_latency(latency_of_sizes({64 * 1001}), device, records);
  EXPECT_EQ(records.of("latency").front()["bytes"], 64 * 1001);
}

TEST(DeviceLatencySession, AWalkThatEndsElsewhereEndsTheRunWithAnError) {
  Trouble trouble;
  trouble.wrong_walk = 40;
  HostDevice device(trouble);
  RecordList records;
  const RunEnd outcome = run_latency(latency_of_sizes({8 * kKiB, 64 * kKiB}), device, records);
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.message.value_or(""), HasSubstr("is faulty"));
  EXPECT_EQ(records.of("end").back()["reason"], "error");
}

TEST(DeviceLatencySessionDeathTest, ASignalEndsItWithWhatWasMeasured) {
  if (!can_start_itself()) {
    GTEST_SKIP() << "EMULATED: a program may not be able to start itself";
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto measure_under_a_signal = [] {
    HostDevice device;
    RecordList records;
    records.signal_after = 5;  // that of the first working set
    watch_stop_signals();
    const RunEnd outcome = run_latency(latency_of_sizes({8 * kKiB, 64 * kKiB}), device, records);
    const bool right =
        records.of("latency").size() == 1 && records.records.back()["reason"] == "terminated";
    std::_Exit(right ? outcome.exit_status : 99);
  };
  EXPECT_EXIT(measure_under_a_signal(), testing::ExitedWithCode(143), "");
}

TEST(DeviceLatencySession, AWorkingSetThatTheDeviceDoesNotGiveIsRefused) {
  HostDevice device;
  RecordList records;
  const auto refused =
      run_device_latency_session(small_machine(), latency_of_sizes({kGiB}), device, records);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("ask for at most 256 MiB"));
  EXPECT_TRUE(records.records.empty());
}

}  // namespace
}  // namespace streamgage::engine
