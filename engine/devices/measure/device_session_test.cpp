#include "devices/measure/device_session.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "devices/code_texts.hpp"
#include "devices/device_source.hpp"
#include "devices/measure/device_shape.hpp"
#include "devices/measure/device_states.hpp"
#include "devices/measure/device_workload.hpp"
#include "devices/testing/host_device.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_machine.hpp"

namespace streamgage::engine {
namespace {

using testing::AllOf;
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
  return {records.records, outcome.value_or(DeviceOutcome{})};
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
  plan.tuning.emplace().budget_seconds = 3600.0;
  const DeviceRecords seen = run(plan);
  EXPECT_EQ(seen.outcome.exit_status, 0);
  const auto tunings = seen.of_kind("tuning");
  ASSERT_EQ(tunings.size(), 2U);
  for (const Json& each : tunings) {
    EXPECT_EQ(each["tuned"], true);
    EXPECT_EQ(each["shape"]["device"]["loads"], 8);
    EXPECT_GT(each["pairs"], 10);
    EXPECT_NEAR(each["ratio"], each["kernel"] == "dot" ? 1.8 / 1.4 : 1.8 / 1.1, 1e-9);
  }
  EXPECT_EQ(seen.of_kind("variant").size(), 4U);
}

TEST(DeviceShape, TheStandardReductionHasGroupsThatAddUpManyParts) {
  DeviceFacts facts;
  facts.compute_units = 132;
  facts.most_group_items = 1024;
  const Kernel& dot = *find_kernel("dot").value();
  for (const auto& [type, loads] : {std::pair{ElementType::kDouble, 4}, {ElementType::kFloat, 8}}) {
    const DeviceShape shape = standard_shape(facts, dot, type);
    EXPECT_EQ(shape.groups, 528);
    EXPECT_EQ(shape.group_items, 256);
    EXPECT_EQ(shape.vector_bytes, static_cast<int>(size_of(type)));
    EXPECT_EQ(shape.loads, loads);
    EXPECT_FALSE(standard_shape(facts, *find_kernel("copy").value(), type).groups);
  }
}

TEST(DeviceSession, ShapesThatTheDriverRefusesAreLeftOut) {
  Trouble trouble;
  trouble.most_loads = 2;
  Plan plan = device_plan({"triad"});
  plan.tuning.emplace().budget_seconds = 3600.0;
  const DeviceRecords seen = run(plan, trouble);
  EXPECT_EQ(seen.outcome.exit_status, 0);
  EXPECT_EQ(seen.of_kind("tuning").front()["shape"]["device"]["loads"], 2);
}

TEST(DeviceSession, ShapesThatComputeWrongValuesAreLeftOut) {
  Trouble trouble;
  trouble.wrong_loads = 8;  // the quickest ones
  Plan plan = device_plan({"triad"});
  plan.tuning.emplace().budget_seconds = 3600.0;
  const DeviceRecords seen = run(plan, trouble);
  EXPECT_EQ(seen.outcome.exit_status, 0);
  const Json tuning = seen.of_kind("tuning").front();
  EXPECT_EQ(tuning["shape"]["device"]["loads"], 4);
  EXPECT_EQ(tuning["wrong"], 7);  // vectors of 8 to 64 bytes, those from 16 on with a hint, too
  EXPECT_EQ(tuning["untried"], 0);
}

TEST(DeviceSession, AShapeThatBreaksTheDeviceIsNamed) {
  Trouble trouble;
  trouble.faulty_loads = 2;
  Plan plan = device_plan({"triad"});
  plan.tuning.emplace().budget_seconds = 3600.0;
  const DeviceRecords seen = run(plan, trouble);
  EXPECT_EQ(seen.outcome.exit_status, 1);
  EXPECT_THAT(seen.outcome.message.value_or(""),
              AllOf(HasSubstr("used memory that is not its own; it ran triad in the shape"),
                    HasSubstr("\"loads\":2"), HasSubstr("--no-tune")));
}

// HIP refuses launches of 2^32 work-items; an array may have more elements.
TEST(DeviceSession, ArraysOfMoreElementsThanALaunchHasItemsAreTakenInSteps) {
  HostDevice device;
  device.changed_facts().most_items = 70'000;
  Plan plan = device_plan(all_kernels());
  plan.array_bytes = 1'000'000;
  const DeviceRecords seen = run(plan, device);
  EXPECT_EQ(seen.outcome.exit_status, 0) << seen.outcome.message.value_or("");
}

// The time may end before all were tried.
TEST(DeviceSession, TheShapesThatAreMostlyQuickestAreTriedFirst) {
  Plan plan = device_plan({"triad"});
  plan.tuning.emplace().budget_seconds = 1e-9;
  HostDevice device;
  const Json tuning = run(plan, device).of_kind("tuning").front();
  const auto all = candidate_vectors(device.facts(), *find_kernel("triad").value(), plan.type);
  EXPECT_EQ(all.front(), (DeviceShape{16, 4, 256}));
  EXPECT_GE(tuning["untried"], all.size() - 1);
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
  EXPECT_EQ(seen.of_kind("device").front()["rule_cache_bytes"], std::uint64_t{4} << 20U);
}

// On a GPU four times the cache may take no longer than some launches.
TEST(DeviceSession, ArraysOfAGpuTakeLongAgainstALaunch) {
  Plan plan = device_plan({"copy"});
  plan.array_bytes.reset();
  HostDevice device;
  device.changed_facts().kind = "gpu";
  device.changed_facts().cache_bytes = std::uint64_t{1} << 20U;
  device.changed_facts().memory_bytes = std::uint64_t{160} << 20U;
  const DeviceRecords seen = run(plan, device);
  const Json memory = seen.of_kind("memory").front();
  EXPECT_EQ(memory["array_bytes"], std::uint64_t{10} << 20U);
  EXPECT_EQ(memory["rule_bytes"], 8'000'000);
  EXPECT_TRUE(memory["capped_by"].is_null());
  DeviceFacts large = device.facts();
  large.memory_bytes = std::uint64_t{141} << 30U;
  EXPECT_EQ(usual_array_bytes(large), std::uint64_t{1} << 30U);
}

TEST(DeviceSession, ACacheOfUnknownSizeIsTakenForALargeOne) {
  Plan plan = device_plan({"copy"});
  plan.array_bytes.reset();
  HostDevice device;
  device.changed_facts().cache_bytes = 0;
  device.changed_facts().memory_bytes = std::uint64_t{20} << 20U;
  const DeviceRecords seen = run(plan, device);
  const Json memory = seen.of_kind("memory").front();
  EXPECT_EQ(memory["rule_bytes"], std::uint64_t{1} << 30U);
  EXPECT_EQ(memory["capped_by"], "available");
  const Json described = seen.of_kind("device").front();
  EXPECT_TRUE(described["cache_bytes"].is_null());
  EXPECT_EQ(described["rule_cache_bytes"], std::uint64_t{256} << 20U);
}

TEST(DeviceSession, AWorkingSetIsThatOfAllArraysAndItsPassesAreOneLaunch) {
  for (const ElementType type : {ElementType::kDouble, ElementType::kFloat}) {
    for (const std::string& kernel : all_kernels()) {
      Plan plan = device_plan({kernel});
      plan.type = type;
      plan.array_bytes.reset();
      plan.working_set_bytes = 12 * 64 * 10;
      HostDevice device;
      const DeviceRecords seen = run(plan, device);
      EXPECT_EQ(seen.outcome.exit_status, 0) << kernel;
      const auto arrays = static_cast<std::uint64_t>(arrays_used(*find_kernel(kernel).value()));
      EXPECT_EQ(seen.of_kind("memory").front()["array_bytes"], 12 * 64 * 10 / arrays) << kernel;
      // Groups that all run at the same time: one after the other, each would have its part of the
      // arrays in the nearest cache.
      const Json shape = seen.of_kind("variant").front()["shape"]["device"];
      EXPECT_EQ(shape["groups"], 8) << kernel;
      EXPECT_EQ(shape["group_items"], 256) << kernel;
      EXPECT_EQ(seen.of_kind("validation").front()["valid"], true) << kernel;
    }
  }
}

TEST(DeviceWorkload, PassesInsideALaunchGiveWhatAsManyLaunchesGive) {
  for (const Kernel& kernel : kCatalogue) {
    Variant variant;
    variant.kernel = &kernel;
    variant.type = ElementType::kFloat;
    for (const Passes passes : {Passes::kLaunches, Passes::kInside}) {
      HostDevice device;
      DeviceWorkload workload(device, variant.type, 1600, 4, passes);
      ASSERT_TRUE(workload.renew());
      const DeviceShape shape = standard_shape(device.facts(), kernel, variant.type);
      const auto ran = workload.run(variant, shape, 7).value();
      EXPECT_TRUE(ran.spot_check_passed) << kernel.name;
      EXPECT_EQ(workload.check_array(0).value().wrong, 0) << kernel.name;
      EXPECT_EQ(device.launches(), passes == Passes::kInside ? 5 : 11) << kernel.name;
    }
  }
}

TEST(DeviceSession, WhatTheDeviceLacksIsRefused) {
  HostDevice device;
  DeviceFacts& facts = device.changed_facts();
  const auto refused = [&](const Plan& plan) {
    const auto checked = check_device_plan(plan, device);
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
  plan.kernels = {"quad"};
  EXPECT_THAT(refused(plan), HasSubstr("there is no kernel 'quad'"));
}

TEST(DeviceSession, HowTheDeviceRanIsInARecordWhereItsDriverSaysIt) {
  EXPECT_TRUE(run(device_plan({"copy"})).of_kind("device-state").empty());
  Trouble trouble;
  trouble.state.emplace();
  trouble.state->core_hertz = 1'980'000'000;
  trouble.state->limit_watts = 700.0;
  trouble.state->slowed_by = {"power-cap"};
  const auto states = run(device_plan({"copy"}), trouble).of_kind("device-state");
  ASSERT_EQ(states.size(), 1U);
  const Json& state = states.front();
  EXPECT_GE(state["readings"], 1);
  EXPECT_EQ(state["core_hertz_low"], 1.98e9);
  EXPECT_EQ(state["limit_watts"], 700.0);
  EXPECT_TRUE(state["watts_high"].is_null());
  EXPECT_EQ(state["slowed_by"][0]["reason"], "power-cap");
  EXPECT_EQ(state["slowed_by"][0]["readings"], state["readings"]);
}

TEST(DeviceStates, TheRecordHasTheRangeOfAllReadings) {
  DeviceStates states;
  EXPECT_FALSE(states.record());
  for (const double watts : {300.0, 500.0, 400.0}) {
    DeviceState state;
    state.watts = watts;
    state.core_hertz = static_cast<std::uint64_t>(watts * 1e6);
    state.other_processes = watts == 300.0 ? 2 : 0;
    state.slowed_by =
        watts == 500.0 ? std::vector<std::string>{"hardware-thermal"} : std::vector<std::string>{};
    states.add(state);
  }
  const Json record = to_json(states.record().value());
  EXPECT_EQ(record["readings"], 3);
  EXPECT_EQ(record["watts_high"], 500.0);
  EXPECT_EQ(record["core_hertz_low"], 3e8);
  EXPECT_EQ(record["core_hertz_high"], 5e8);
  EXPECT_EQ(record["other_processes"], 2);
  EXPECT_EQ(record["slowed_by"].dump(), R"([{"reason":"hardware-thermal","readings":1}])");
}

TEST(DeviceSource, AProgramHasTheFormulaOfTheCatalogueAndANameOfItsOwn) {
  const auto program = [](const char* kernel, ElementType type, const DeviceShape& shape) {
    return stream_program(*find_kernel(kernel).value(), type, shape);
  };
  const DeviceProgram triad = program("triad", ElementType::kDouble, {16, 4});
  EXPECT_EQ(triad.name, "streamgage_triad_double_2_4");
  EXPECT_THAT(triad.text, HasSubstr("#define NAME streamgage_triad_double_2_4\n"));
  EXPECT_THAT(triad.text, HasSubstr("#define FORMULA b + s*c\n"));
  EXPECT_THAT(triad.text, HasSubstr("#define STREAMING 0\n"));
  EXPECT_THAT(triad.text, HasSubstr("#define READS 6\n"));
  EXPECT_THAT(triad.text, HasSubstr("#define REDUCES 0\n"));
  const DeviceProgram dot =
      program("dot", ElementType::kFloat, {16, 1, 256, 8, CacheHint::kStreaming});
  EXPECT_EQ(dot.name, "streamgage_dot_float_4_1_streaming");
  EXPECT_THAT(dot.text, HasSubstr("#define STREAMING 1\n"));
  EXPECT_THAT(dot.text, HasSubstr("#define FORMULA a*b\n"));
  EXPECT_THAT(dot.text, HasSubstr("#define REDUCES 1\n"));
}

// Whether this build has any is known to its CMake alone.
TEST(DeviceSource, ThePtxOfTheBuildHasEveryKernelInEveryShape) {
#if STREAMGAGE_WITH_PTX
  EXPECT_THAT(std::string(embedded_compiler()), HasSubstr("clang"));
  DeviceFacts gpu;
  gpu.most_group_items = 1024;
  gpu.widest_vector_bytes = 32;
  gpu.ring_bytes = 48 << 10;
  std::vector<std::string> names{chase_program().name};
  std::size_t modules = 1;
  for (const ElementType type : {ElementType::kDouble, ElementType::kFloat}) {
    names.push_back(fill_program(type).name);
    modules += 1 + kCatalogue.size();
    for (const Kernel& kernel : kCatalogue) {
      modules += kernel.loads() > 0 ? 1 : 0;  // with a ring
      for (const DeviceShape& shape : candidate_vectors(gpu, kernel, type)) {
        names.push_back(stream_program(kernel, type, shape).name);
      }
    }
  }
  for (const std::string& name : names) {
    const auto has_it = [&](const Assembly& each) {
      return each.text.find(".visible .entry " + name + "(") != std::string_view::npos;
    };
    EXPECT_EQ(std::count_if(embedded_ptx().begin(), embedded_ptx().end(), has_it), 1) << name;
  }
  EXPECT_EQ(embedded_ptx().size(), modules);
  for (const Assembly& each : embedded_ptx()) {
    const bool has_ring = each.module.find("_ring_") != std::string_view::npos;
    EXPECT_THAT(std::string(each.text), HasSubstr(has_ring ? ".version 8.0\n.target sm_90\n"
                                                           : ".version 6.0\n.target sm_70\n"))
        << each.module;
  }
#else
  EXPECT_TRUE(embedded_ptx().empty());
#endif
}

TEST(DeviceSource, TheMachineCodeOfTheBuildHasEveryKernelInEveryShape) {
  if (embedded_amdgcn().empty()) {
    EXPECT_FALSE(STREAMGAGE_WITH_AMDGCN);
    return;
  }
  DeviceFacts gpu;
  gpu.most_group_items = 256;
  gpu.widest_vector_bytes = 16;
  std::vector<std::string> names{chase_program().name};
  for (const ElementType type : {ElementType::kDouble, ElementType::kFloat}) {
    names.push_back(fill_program(type).name);
    for (const Kernel& kernel : kCatalogue) {
      for (const DeviceShape& shape : candidate_vectors(gpu, kernel, type)) {
        names.push_back(stream_program(kernel, type, shape).name);
      }
    }
  }
  for (const std::string& name : names) {
    const auto has_it = [&](const Assembly& each) {
      return each.text.find('\0' + name + '\0') != std::string_view::npos;
    };
    EXPECT_EQ(std::count_if(embedded_amdgcn().begin(), embedded_amdgcn().end(), has_it), 1) << name;
  }
}

TEST(DeviceShapes, NoneIsAMultipleOfThePeriodOfThePatterns) {
  HostDevice device;
  device.changed_facts().compute_units = 1021;
  const Kernel& triad = *find_kernel("triad").value();
  const auto shapes =
      candidate_groups(device.facts(), triad, ElementType::kDouble, {8, 1, 256}, 256);
  EXPECT_GT(shapes.size(), 10U);
  for (const DeviceShape& shape : shapes) {
    EXPECT_LE(shape.group_items, 256);
    EXPECT_NE(shape.groups.value_or(1) % 1021, 0);
  }
}

TEST(DeviceShapes, RingsAreThereWhereAGroupHasRoomForThem) {
  HostDevice device;
  const auto rings = [&](const char* kernel) {
    const Kernel& of = *find_kernel(kernel).value();
    auto shapes = candidate_vectors(device.facts(), of, ElementType::kDouble);
    for (const DeviceShape& each : shapes) {
      if (each.stages > 0) {
        EXPECT_LE(shared_bytes(of, ElementType::kDouble, each), device.facts().ring_bytes);
        EXPECT_TRUE(each.groups.has_value());
      }
    }
    return std::count_if(shapes.begin(), shapes.end(),
                         [](const DeviceShape& each) { return each.stages > 0; });
  };
  EXPECT_EQ(rings("copy"), 0);
  device.changed_facts().ring_bytes = 48 << 10;
  EXPECT_EQ(rings("copy"), 6);
  EXPECT_EQ(rings("triad"), 3);
  EXPECT_EQ(rings("bracket"), 1);
  EXPECT_EQ(rings("init"), 0) << "it loads nothing";
  const Kernel& dot = *find_kernel("dot").value();
  const DeviceShape ring{16, 1, 256, 8, CacheHint::kNone, 4};
  EXPECT_EQ(shared_bytes(dot, ElementType::kDouble, ring), 4 * (2 * 4096 + 8));
  const auto groups = candidate_groups(device.facts(), dot, ElementType::kDouble, ring, 1024);
  EXPECT_FALSE(groups.empty());
  for (const DeviceShape& each : groups) {
    EXPECT_EQ(each.stages, 4);
    EXPECT_TRUE(each.groups.has_value());
    EXPECT_LE(each.group_items, 256);
  }
}

}  // namespace
}  // namespace streamgage::engine
