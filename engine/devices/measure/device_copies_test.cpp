#include "devices/measure/device_copies_session.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "devices/measure/device_copies.hpp"
#include "devices/testing/host_device.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_machine.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

Plan copies_of(std::uint64_t bytes) {
  Plan plan;
  plan.device = "host:0";
  plan.copies = true;
  plan.kernels.clear();
  plan.array_bytes = bytes;
  plan.seed = 7;
  plan.sampling = {4, 4, 4, 1000.0, 2};
  return plan;
}

Outcome run_copies(const Plan& plan, HostDevice& device, RecordList& records) {
  const Machine machine = small_machine();
  auto outcome = run_device_copies_session(machine, plan, device, nullptr, records);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome.value_or(Outcome{});
}

TEST(DeviceCopies, TheHostCopiesFromCpusNextToTheDevice) {
  const CpuList all = affinity_mask().value();
  Machine machine = small_machine();
  machine.allowed_cpus = all;
  machine.allowed.clear();
  for (const int cpu : all) {
    machine.allowed.push_back({cpu, cpu, 0, 0, cpu == all.back() ? 1 : 0});
  }
  const auto copied_on = [&](std::optional<int> node) {
    HostDevice device;
    device.changed_facts().numa_node = node;
    RecordList records;
    const auto outcome =
        run_device_copies_session(machine, copies_of(100'000), device, nullptr, records);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return device.copied_on();
  };
  EXPECT_EQ(copied_on(1), CpuList{all.back()});
  EXPECT_EQ(affinity_mask().value(), all);
  EXPECT_EQ(copied_on(std::nullopt), all);
  EXPECT_EQ(copied_on(7), all);  // a node none of whose CPUs may be used
}

TEST(DeviceCopies, EachWayAndBothAreMeasuredAndChecked) {
  HostDevice device;
  RecordList records;
  Plan plan = copies_of(100'000);
  // Arrays are allocated again when the samples have taken much longer than their allocation.
  plan.sampling = {2000, 2000, 2000, 1000.0, 2};
  EXPECT_EQ(run_copies(plan, device, records).exit_status, 0);
  const auto kernels = records.of("kernel");
  ASSERT_EQ(kernels.size(), 6U);
  std::vector<std::string> names;
  for (const Json& each : kernels) {
    names.push_back(each["name"]);
    const bool both = names.back().find("both") != std::string::npos;
    EXPECT_EQ(each["loads"].get<int>() + each["stores"].get<int>(), both ? 2 : 1) << each;
    EXPECT_EQ(each["write_allocates"], false);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"pageable-to-device", "pageable-from-device",
                                             "pageable-both-ways", "pinned-to-device",
                                             "pinned-from-device", "pinned-both-ways"}));
  for (const Json& each : records.of("validation")) {
    EXPECT_EQ(each["valid"], true) << each;
    const bool both = each["variant"] == 2 || each["variant"] == 5;
    EXPECT_EQ(each["checked"], both ? 25'000 : 12'500);
  }
  for (const Json& each : records.of("sample")) {
    const double bytes = 100'000.0 * each["passes"].get<double>();
    EXPECT_DOUBLE_EQ(each["seconds"], bytes / kHostLinkBytesPerSecond);
  }
  EXPECT_GE(records.of("memory").back()["epoch"], 1) << "arrays are allocated again";
}

Outcome run_between(HostDevice& device, HostDevice& peer, RecordList& records) {
  Plan plan = copies_of(100'000);
  plan.peer = "host:1";
  const Machine machine = small_machine();
  auto outcome = run_device_copies_session(machine, plan, device, &peer, records);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome.value_or(Outcome{});
}

TEST(DeviceCopies, BetweenTwoDevicesEachWayAndBothAreMeasuredAndChecked) {
  Trouble trouble;
  trouble.reaches_others = false;
  HostDevice device;
  HostDevice peer(trouble);
  peer.changed_facts().id = "host:1";
  RecordList records;
  EXPECT_EQ(run_between(device, peer, records).exit_status, 0);
  std::vector<std::string> names;
  for (const Json& each : records.of("kernel")) {
    names.push_back(each["name"]);
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"peer-to-device", "peer-from-device", "peer-both-ways"}));
  ASSERT_EQ(records.of("validation").size(), 3U);
  for (const Json& each : records.of("validation")) {
    EXPECT_EQ(each["valid"], true) << each;
    EXPECT_EQ(each["checked"], each["variant"] == 2 ? 25'000 : 12'500);
  }
  const Json path = records.of("peer").front();
  EXPECT_EQ(path["id"], "host:1");
  EXPECT_EQ(path["to_peer"], "peer-access");
  EXPECT_EQ(path["from_peer"], "through-host");
}

TEST(DeviceCopies, WhatIsWrongBetweenTwoDevicesMakesThemInvalid) {
  Trouble wrong;
  wrong.wrong_byte = 99'999;
  Trouble lost;
  lost.lost_copies = true;
  for (const Trouble& trouble : {wrong, lost}) {
    HostDevice device(trouble);
    HostDevice peer;
    RecordList records;
    EXPECT_EQ(run_between(device, peer, records).exit_status, 1);
    for (const Json& each : records.of("validation")) {
      EXPECT_EQ(each["valid"], false);
    }
  }
}

TEST(DeviceCopies, TheDeviceThatGivesLessLimitsTheSize) {
  HostDevice device;
  HostDevice small;
  small.changed_facts().memory_bytes = 100'000;
  small.changed_facts().id = "host:1";
  RecordList records;
  const auto refused =
      run_device_copies_session(small_machine(), copies_of(100'000), device, &small, records);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("host:1"));
}

TEST(DeviceCopies, AByteThatIsWrongMakesThemInvalid) {
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{50'000}, std::size_t{99'999}}) {
    Trouble trouble;
    trouble.wrong_byte = wrong;
    HostDevice device(trouble);
    RecordList records;
    EXPECT_EQ(run_copies(copies_of(100'000), device, records).exit_status, 1);
    for (const Json& each : records.of("validation")) {
      EXPECT_EQ(each["valid"], false);
      EXPECT_EQ(each["first_wrong"], wrong / 8);
    }
  }
}

TEST(DeviceCopies, CopiesThatAreLeftOutShowInEverySample) {
  Trouble trouble;
  trouble.lost_copies = true;
  HostDevice device(trouble);
  RecordList records;
  EXPECT_EQ(run_copies(copies_of(100'000), device, records).exit_status, 1);
  for (const Json& each : records.of("validation")) {
    EXPECT_EQ(each["valid"], false);
    EXPECT_GE(each["spot_failures"], 4);
  }
}

TEST(DeviceCopies, MemoryThatCannotBePinnedEndsTheRunWithARecord) {
  Trouble trouble;
  trouble.allocations = 2;  // those of the device
  HostDevice device(trouble);
  RecordList records;
  const Outcome outcome = run_copies(copies_of(100'000), device, records);
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.message.value_or(""), HasSubstr("no memory can be pinned"));
  EXPECT_EQ(records.of("end").back()["reason"], "error");
}

TEST(DeviceCopies, TheUsualSizeTakesASmallPartOfTheMemory) {
  HostDevice device;
  device.changed_facts().memory_bytes = 16 * kMiB;
  RecordList records;
  Plan plan = copies_of(0);
  plan.array_bytes.reset();
  EXPECT_EQ(run_copies(plan, device, records).exit_status, 0);
  EXPECT_EQ(records.of("memory").front()["array_bytes"], kMiB);
}

TEST(DeviceCopies, SizesThatTheDeviceDoesNotGiveAreRefused) {
  HostDevice device;
  const auto refused = [&](std::uint64_t bytes) {
    RecordList records;
    const auto outcome =
        run_device_copies_session(small_machine(), copies_of(bytes), device, nullptr, records);
    return outcome ? std::string{} : outcome.error().message;
  };
  EXPECT_THAT(refused(kGiB), HasSubstr("gives no two arrays of 1 GiB: ask for at most 256 MiB"));
  EXPECT_THAT(refused(64), HasSubstr("ask for at least 4 KiB"));
}

}  // namespace
}  // namespace streamgage::engine
