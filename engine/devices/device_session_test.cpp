#include "devices/device_session.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "devices/device_shape.hpp"
#include "devices/device_source.hpp"
#include "devices/testing/host_device.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_machine.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;
using testing::Not;

Plan device_plan(std::vector<std::string> kernels) {
  Plan plan;
  plan.device = "host:0";
  plan.kernels = std::move(kernels);
  plan.array_bytes = 100'000;
  plan.seed = 7;
  plan.sampling = {4, 4, 4, 1000.0};
  return plan;
}

std::vector<std::string> all_kernels() {
  std::vector<std::string> names;
  names.reserve(kCatalogue.size());
  for (const Kernel& kernel : kCatalogue) {
    names.emplace_back(kernel.name);
  }
  return names;
}

// Of a run of that plan, with the outcome.
struct DeviceRecords {
  std::vector<Json> records;
  Outcome outcome;

  [[nodiscard]] std::vector<Json> of_kind(const char* kind) const {
    std::vector<Json> found;
    for (const Json& record : records) {
      if (record["record"] == kind) {
        found.push_back(record);
      }
    }
    return found;
  }
};

DeviceRecords run(const Plan& plan, HostDevice& device) {
  RecordList records;
  const Machine machine = small_machine();
  auto outcome = run_device_session(machine, plan, device, records);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return {records.records, outcome.value_or(Outcome{})};
}

DeviceRecords run(const Plan& plan, const Trouble& trouble = {}) {
  HostDevice device(trouble);
  return run(plan, device);
}

TEST(DeviceSession, EveryKernelIsMeasuredAndChecked) {
  for (const ElementType type : {ElementType::kDouble, ElementType::kFloat}) {
    Plan plan = device_plan(all_kernels());
    plan.type = type;
    const DeviceRecords seen = run(plan);
    EXPECT_EQ(seen.outcome.exit_status, 0);
    EXPECT_EQ(seen.of_kind("variant").size(), kCatalogue.size());
    const auto validations = seen.of_kind("validation");
    ASSERT_EQ(validations.size(), kCatalogue.size());
    for (const Json& each : validations) {
      EXPECT_EQ(each["valid"], true) << each;
    }
    EXPECT_EQ(seen.of_kind("end").back()["reason"], "complete");
  }
}

TEST(DeviceSession, AWrongElementMakesEveryKernelThatStoresInvalid) {
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{777}}) {
    Trouble trouble;
    trouble.wrong_element = wrong;
    const DeviceRecords seen = run(device_plan({"copy", "sum"}), trouble);
    EXPECT_EQ(seen.outcome.exit_status, 1);
    const auto validations = seen.of_kind("validation");
    ASSERT_EQ(validations.size(), 2U);
    for (const Json& each : validations) {
      const bool is_copy = seen.of_kind("variant")[each["variant"]]["kernel"] == "copy";
      EXPECT_EQ(each["valid"], !is_copy);
      EXPECT_EQ(each["wrong"], is_copy ? 1 : 0);
    }
  }
}

TEST(DeviceSession, AQuickerShapeIsConfirmedAndMeasuredNextToTheStandardOne) {
  Plan plan = device_plan({"triad", "dot"});
  plan.tuning.emplace().budget_seconds = 2.0;
  const DeviceRecords seen = run(plan);
  EXPECT_EQ(seen.outcome.exit_status, 0);
  const auto tunings = seen.of_kind("tuning");
  ASSERT_EQ(tunings.size(), 2U);
  for (const Json& each : tunings) {
    EXPECT_EQ(each["tuned"], true);
    EXPECT_EQ(each["shape"]["device"]["loads"], 8);
    EXPECT_GT(each["pairs"], 10);
    EXPECT_NEAR(each["ratio"], 1.8 / 1.1, 1e-9);
  }
  EXPECT_EQ(seen.of_kind("variant").size(), 4U);
}

TEST(DeviceSession, ShapesThatTheDriverRefusesAreLeftOut) {
  Trouble trouble;
  trouble.most_loads = 2;
  Plan plan = device_plan({"triad"});
  plan.tuning.emplace().budget_seconds = 2.0;
  const DeviceRecords seen = run(plan, trouble);
  EXPECT_EQ(seen.outcome.exit_status, 0);
  EXPECT_EQ(seen.of_kind("tuning").front()["shape"]["device"]["loads"], 2);
}

TEST(DeviceSession, StampsThatDisagreeWithTheHostsClockAreNotBelieved) {
  const auto timed_by = [](Trouble trouble) {
    return run(device_plan({"copy"}), trouble).of_kind("device-clock").front();
  };
  Trouble trouble;
  trouble.stamps_over_host = 0.97;
  EXPECT_EQ(timed_by(trouble)["timed_by"], "events");
  trouble.stamps_over_host = 0.5;
  EXPECT_EQ(timed_by(trouble)["timed_by"], "host");
  trouble.has_stamps = false;
  EXPECT_EQ(timed_by(trouble)["timed_by"], "host");
  EXPECT_TRUE(timed_by(trouble)["event_seconds"].is_null());
}

TEST(DeviceSession, MemoryThatIsFullEndsTheRunWithARecord) {
  Trouble trouble;
  trouble.allocations = 1;
  const DeviceRecords seen = run(device_plan({"triad"}), trouble);
  EXPECT_EQ(seen.outcome.exit_status, 1);
  EXPECT_THAT(seen.outcome.message.value_or(""), HasSubstr("its memory is full"));
  EXPECT_EQ(seen.of_kind("end").back()["reason"], "error");
}

TEST(DeviceSession, ArraysFollowTheCacheOfTheDevice) {
  Plan plan = device_plan({"copy"});
  plan.array_bytes.reset();
  HostDevice device;
  device.changed_facts().cache_bytes = std::uint64_t{4} << 20U;
  const DeviceRecords seen = run(plan, device);
  const Json memory = seen.of_kind("memory").front();
  EXPECT_EQ(memory["array_bytes"], std::uint64_t{16} << 20U);
  EXPECT_EQ(memory["last_level_cache_bytes"], std::uint64_t{4} << 20U);
}

TEST(DeviceSession, WhatTheDeviceLacksIsRefused) {
  HostDevice device;
  DeviceFacts& facts = device.changed_facts();
  const auto refused = [&](const Plan& plan) {
    const auto checked = check_device_plan(plan, facts);
    return checked ? std::string{} : checked.error().message;
  };
  Plan plan = device_plan({"copy"});
  EXPECT_EQ(refused(plan), "");
  facts.has_double = false;
  EXPECT_THAT(refused(plan), HasSubstr("--type float"));
  plan.type = ElementType::kFloat;
  EXPECT_EQ(refused(plan), "");
  plan.array_bytes = facts.largest_array_bytes + 1;
  EXPECT_THAT(refused(plan), HasSubstr("ask for at most 256 MiB"));
  plan.array_bytes.reset();
  facts.cache_bytes = 0;
  EXPECT_THAT(refused(plan), HasSubstr("--llc"));
  plan.last_level_cache_bytes = 1024;
  EXPECT_EQ(refused(plan), "");
  plan.kernels = {"quad"};
  EXPECT_THAT(refused(plan), HasSubstr("there is no kernel 'quad'"));
}

TEST(DeviceSource, AFormulaOfTheCatalogueIsTheProgram) {
  const std::string triad =
      stream_source(*find_kernel("triad").value(), ElementType::kDouble, 16, 4);
  EXPECT_THAT(triad, HasSubstr("(V)(b + s*c)"));
  EXPECT_THAT(triad, HasSubstr("typedef double2 V;"));
  EXPECT_THAT(triad, Not(HasSubstr("held_a")));
  const std::string dot = stream_source(*find_kernel("dot").value(), ElementType::kFloat, 16, 1);
  EXPECT_THAT(dot, HasSubstr("x += a*b;"));
  EXPECT_THAT(dot, HasSubstr("x.s0 + x.s1 + x.s2 + x.s3"));
  EXPECT_THAT(dot, Not(HasSubstr("cl_khr_fp64")));
}

TEST(DeviceShapes, NoneIsAMultipleOfThePeriodOfThePatterns) {
  HostDevice device;
  device.changed_facts().compute_units = 1021;
  const auto shapes = candidate_groups(device.facts(), {8, 1, 256}, 256);
  EXPECT_GT(shapes.size(), 10U);
  for (const DeviceShape& shape : shapes) {
    EXPECT_LE(shape.group_items, 256);
    EXPECT_NE(shape.groups.value_or(1) % 1021, 0);
  }
}

}  // namespace
}  // namespace streamgage::engine
