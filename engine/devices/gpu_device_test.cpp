// CUDA and HIP on the drivers in probes/, which stand where the real ones do.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "devices/code_texts.hpp"
#include "devices/device_chain.hpp"
#include "devices/device_session.hpp"
#include "devices/device_source.hpp"
#include "devices/device_workload.hpp"
#include "devices/gpu_device.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_machine.hpp"

#if STREAMGAGE_DLOPEN

namespace streamgage::engine {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// What the driver does wrong as long as this lives; see probes/gpu_driver.cpp.
class DriverTrouble {
 public:
  explicit DriverTrouble(const std::string& what) {
    setenv("STREAMGAGE_TEST_GPU", what.c_str(), 1);
  }
  DriverTrouble(const DriverTrouble&) = delete;
  DriverTrouble& operator=(const DriverTrouble&) = delete;
  DriverTrouble(DriverTrouble&&) = delete;
  DriverTrouble& operator=(DriverTrouble&&) = delete;
  ~DriverTrouble() { unsetenv("STREAMGAGE_TEST_GPU"); }
};

Plan gpu_plan(std::vector<std::string> kernels) {
  Plan plan;
  plan.device = "cuda:0";
  plan.kernels = std::move(kernels);
  plan.array_bytes = 50'000;
  plan.seed = 7;
  plan.sampling = {2, 2, 2, 1000.0};
  return plan;
}

struct GpuRecords {
  std::vector<Json> records;
  Outcome outcome;

  [[nodiscard]] std::vector<Json> named(const char* name) const {
    std::vector<Json> found;
    std::copy_if(records.begin(), records.end(), std::back_inserter(found),
                 [&](const Json& record) { return record["record"] == name; });
    return found;
  }
};

GpuRecords measured(const Plan& plan) {
  auto device = open_device(*plan.device);
  EXPECT_TRUE(device) << device.error().message;
  RecordList records;
  const Machine machine = small_machine();
  auto outcome = run_device_session(machine, plan, **device, records);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return {records.records, outcome.value_or(Outcome{})};
}

// The error of opening a device, with its exit status.
std::string refused(const std::string& trouble, const std::string& id = "cuda:0") {
  const DriverTrouble driver(trouble);
  const auto device = open_device(id);
  return device ? "opened"
                : fmt::format("{}: {}", static_cast<int>(device.error().status),
                              device.error().message);
}

void expect_all_right(ElementType type, const std::string& id = "cuda:0") {
  std::vector<std::string> names;
  for (const Kernel& kernel : kCatalogue) {
    names.emplace_back(kernel.name);
  }
  Plan plan = gpu_plan(names);
  plan.device = id;
  plan.type = type;
  const GpuRecords seen = measured(plan);
  EXPECT_EQ(seen.outcome.exit_status, 0) << seen.outcome.message.value_or("");
  const auto validations = seen.named("validation");
  ASSERT_EQ(validations.size(), kCatalogue.size());
  for (const Json& each : validations) {
    EXPECT_EQ(each["valid"], true) << each;
    EXPECT_EQ(each["spot_failures"], 0) << each;
  }
}

TEST(GpuDevice, EveryKernelIsRightByThePtxOfThisBuildOrByNvrtc) {
  expect_all_right(ElementType::kDouble);
}

TEST(GpuDevice, EveryKernelIsRightByNvrtcWhereTheDriverTakesNoPtx) {
  const DriverTrouble driver("ptx=222");
  expect_all_right(ElementType::kFloat);
}

TEST(GpuDevice, EveryKernelIsRightByTheMachineCodeOfThisBuildOrByHiprtc) {
  expect_all_right(ElementType::kDouble, "hip:0");
}

TEST(GpuDevice, EveryKernelIsRightByHiprtcWhereThereIsNoMachineCodeForTheGpu) {
  const DriverTrouble driver("architecture=gfx000");
  expect_all_right(ElementType::kFloat, "hip:0");
}

TEST(GpuDevice, EveryShapeOfAKernelThatStoresAndOfOneThatReducesIsRight) {
  auto device = open_device("cuda:0");
  ASSERT_TRUE(device) << device.error().message;
  DeviceWorkload workload(**device, ElementType::kFloat, 40'000, 3);
  ASSERT_TRUE(workload.renew());
  for (const char* const name : {"triad", "dot"}) {
    Variant variant;
    variant.kernel = find_kernel(name).value();
    variant.type = ElementType::kFloat;
    auto shapes = candidate_vectors((*device)->facts(), *variant.kernel, ElementType::kFloat);
    EXPECT_EQ(shapes.size(), 27U);
    shapes.push_back({16, 2, 64, 9});  // groups that go through the arrays in steps
    shapes.push_back({16, 1, 64, 2, CacheHint::kNone, 8});  // a ring that turns often
    shapes.push_back({16, 2, 32, 3, CacheHint::kNone, 3});
    for (const DeviceShape& shape : shapes) {
      LaunchTimes times;
      const auto check = workload.run_and_check(variant, shape, times);
      ASSERT_TRUE(check) << check.error().message;
      EXPECT_EQ(check->wrong, 0) << name << ' ' << shape.vector_bytes << ' ' << shape.loads;
    }
  }
}

TEST(GpuDevice, EveryKernelIsRightWithARingAlsoInSeveralPasses) {
  auto device = open_device("cuda:0");
  ASSERT_TRUE(device) << device.error().message;
  const DeviceShape ring{16, 1, 64, 3, CacheHint::kNone, 2};
  DeviceWorkload workload(**device, ElementType::kDouble, 5'000, 4, Passes::kInside);
  ASSERT_TRUE(workload.renew());
  for (const Kernel& kernel : kCatalogue) {
    if (kernel.loads() == 0) {
      continue;
    }
    Variant variant;
    variant.kernel = &kernel;
    variant.type = ElementType::kDouble;
    const auto run = workload.run(variant, ring, 3);
    ASSERT_TRUE(run) << kernel.name << ": " << run.error().message;
    EXPECT_TRUE(run->spot_check_passed) << kernel.name;
    const auto check = workload.check_array(0);
    ASSERT_TRUE(check) << check.error().message;
    EXPECT_EQ(check->wrong, 0) << kernel.name;
  }
}

TEST(GpuDevice, OlderOnesHaveNoRings) {
  for (const auto& [trouble, bytes] :
       {std::pair{"capability=80", 0}, {"capability=90", 48 << 10}}) {
    const DriverTrouble driver(trouble);
    auto device = open_device("cuda:0");
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ((*device)->facts().ring_bytes, bytes) << trouble;
  }
  auto device = open_device("hip:0");
  ASSERT_TRUE(device) << device.error().message;
  EXPECT_EQ((*device)->facts().ring_bytes, 0U);
}

TEST(GpuDevice, IsDescribedWithItsMemoryAndItsState) {
  const GpuRecords seen = measured(gpu_plan({"copy"}));
  const Json device = seen.named("device").front();
  EXPECT_EQ(device["id"], "cuda:0");
  EXPECT_EQ(device["name"], "Test GPU");
  EXPECT_EQ(device["driver"], "CUDA 12.4; driver 550.54.15");
  EXPECT_EQ(device["interface"], "CUDA");
  EXPECT_EQ(device["architecture"], "sm_90");
  EXPECT_TRUE(device["slice"].is_null());
  EXPECT_EQ(device["compute_units"], 4);
  EXPECT_EQ(device["cache_bytes"], 64 << 10);
  EXPECT_EQ(device["memory_clock_hertz"], 2'619'000'000);
  EXPECT_EQ(device["memory_bus_bits"], 5120);
  EXPECT_EQ(device["has_ecc"], true);
  const Json state = seen.named("device-state").front();
  EXPECT_EQ(state["watts_high"], 698.5);
  EXPECT_TRUE(state["limit_watts"].is_null());
  EXPECT_EQ(state["slowed_by"][0]["reason"], "power-cap");
  EXPECT_EQ(state["other_processes"], 0);
  const Json variant = seen.named("variant").front();
  EXPECT_EQ(variant["isa"], "CUDA");
  EXPECT_EQ(seen.named("device-clock").front()["timed_by"], "events");
}

TEST(GpuDevice, OtherProcessesOnItAreCounted) {
  const DriverTrouble driver("processes=3");
  const Json state = measured(gpu_plan({"copy"})).named("device-state").front();
  EXPECT_EQ(state["other_processes"], 2);
}

TEST(GpuDevice, WhatTheDriverDoesNotSayOfTheMemoryNvmlMaySay) {
  {
    const DriverTrouble driver("memory_kilohertz=0 bus_bits=0 gpu=A100-MIG-1g.10gb ecc=0");
    const Json device = measured(gpu_plan({"copy"})).named("device").front();
    EXPECT_EQ(device["memory_clock_hertz"], 2'619'000'000);
    EXPECT_EQ(device["memory_bus_bits"], 5120);
    EXPECT_EQ(device["slice"], "MIG 1g.10gb");
    EXPECT_EQ(device["has_ecc"], false);
  }
  const DriverTrouble driver("memory_kilohertz=0 nvml_memory_megahertz=0");
  EXPECT_TRUE(measured(gpu_plan({"copy"})).named("device").front()["memory_clock_hertz"].is_null());
}

TEST(GpuDevice, AllDevicesAreListedWithoutOpeningOne) {
  const DriverTrouble driver("devices=3 cuDevicePrimaryCtxRetain=46");
  const auto listed = gpu::list_cuda();
  ASSERT_TRUE(listed) << listed.error().message;
  ASSERT_EQ(listed->size(), 3U);
  EXPECT_EQ(listed->back().id, "cuda:2");
  EXPECT_EQ(listed->back().kind, "gpu");
  EXPECT_EQ(listed->back().memory_bytes, std::uint64_t{1} << 30U);
}

TEST(GpuDevice, ADeviceThatCannotBeHadIsASentence) {
  EXPECT_EQ(refused(""), "opened");
  EXPECT_THAT(refused("cuInit=100"), StartsWith("2: the CUDA driver finds no GPU"));
  EXPECT_THAT(refused("devices=0"), StartsWith("2: the CUDA driver finds no GPU"));
  EXPECT_THAT(refused("cuInit=304"),
              StartsWith("2: the CUDA driver does not start: the system does not permit it "
                         "(CUDA_ERROR_OPERATING_SYSTEM)"));
  EXPECT_THAT(refused("cuInit=803"), HasSubstr("are of different versions"));
  EXPECT_THAT(refused("cuInit=12345"), HasSubstr("the driver refuses it (error 12345)"));
  EXPECT_THAT(refused("cuDeviceGetCount=999"),
              StartsWith("1: the CUDA driver does not list its GPUs"));
  EXPECT_EQ(refused("devices=2", "cuda:2"),
            "2: there is no device cuda:2; there is cuda:0 (Test GPU), cuda:1 (Test GPU)");
  EXPECT_THAT(refused("mode=2"), HasSubstr("its compute mode prohibits it"));
  EXPECT_THAT(
      refused("cuDevicePrimaryCtxRetain=46"),
      StartsWith("1: cuda:0: Test GPU cannot be opened: another program has it for itself"));
  EXPECT_THAT(refused("cuDevicePrimaryCtxRetain=2"), HasSubstr("its memory is full"));
  EXPECT_THAT(refused("cuCtxSetCurrent=201"), StartsWith("1: cuda:0: Test GPU cannot be opened"));
  EXPECT_THAT(refused("cuEventCreate=2@2"), StartsWith("1: cuda:0: it gives no events"));
}

TEST(GpuDevice, OneByHipIsDescribedWithoutAPeak) {
  auto device = open_device("hip:0");
  ASSERT_TRUE(device) << device.error().message;
  const DeviceFacts& facts = (*device)->facts();
  EXPECT_EQ(facts.id, "hip:0");
  EXPECT_EQ(facts.interface, "HIP");
  EXPECT_EQ(facts.vendor, "AMD");
  EXPECT_EQ(facts.driver, "HIP 6.3.42134");
  EXPECT_THAT(facts.code, StartsWith(embedded_amdgcn().empty() ? "HIP C++ by hipRTC "
                                                               : "machine code by clang "));
  EXPECT_EQ(facts.compute_units, 4U);
  EXPECT_EQ(facts.most_group_items, 1024U);
  EXPECT_EQ(facts.clock_hertz, 2'100'000'000U);
  EXPECT_EQ(facts.memory_clock_hertz, 0U);
  // KFD has no GPU at that address.
  EXPECT_EQ(facts.cache_bytes, 0U);
  EXPECT_EQ(facts.architecture, "");
  EXPECT_FALSE((*device)->state());
}

TEST(GpuDevice, WhatFailsByHipIsASentence) {
  EXPECT_THAT(refused("cuInit=100", "hip:0"), StartsWith("2: the HIP driver finds no GPU"));
  EXPECT_EQ(refused("", "hip:1"), "2: there is no device hip:1; there is hip:0 (Test GPU)");
  EXPECT_THAT(refused("hipSetDevice=2", "hip:0"),
              StartsWith("1: hip:0: Test GPU cannot be opened: its memory is full "
                         "(hipErrorOutOfMemory)"));
  const DriverTrouble driver("compiler=fails architecture=gfx000");
  auto device = open_device("hip:0");
  ASSERT_TRUE(device) << device.error().message;
  const DeviceProgram fill = fill_program(ElementType::kDouble);
  const auto kernel = (*device)->compile(fill.text, fill.name.c_str());
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().message,
              StartsWith("hip:0: hipRTC cannot compile a kernel (error 6)"));
}

TEST(GpuDevice, AChainIsFollowedByTheEmbeddedPtxWithoutNvrtc) {
  const DriverTrouble driver("compiler=fails");
  auto device = open_device("cuda:0");
  ASSERT_TRUE(device) << device.error().message;
  const DeviceProgram program = chase_program();
  const auto chase = (*device)->compile(program.text, program.name.c_str());
#if STREAMGAGE_WITH_PTX
  ASSERT_TRUE(chase) << chase.error().message;
  auto chain = DeviceChain::make(**device, **chase, 64 << 10, ChainOrder{128, 16 << 10, 5}).value();
  for (const std::int64_t loads : {1, 100, 1000}) {
    const auto walked = chain.walk(loads);  // an error where it ends elsewhere
    EXPECT_TRUE(walked) << walked.error().message;
  }
#else
  EXPECT_FALSE(chase);
#endif
}

TEST(GpuDevice, ATroubleThatIsNotOfThePtxIsNotHiddenByNvrtc) {
#if STREAMGAGE_WITH_PTX
  EXPECT_THAT(refused("cuModuleLoadDataEx=2"),
              StartsWith("1: cuda:0: a kernel cannot be loaded: its memory is full "
                         "(CUDA_ERROR_OUT_OF_MEMORY): ptxas: what the test's driver says"));
#else
  EXPECT_EQ(refused("cuModuleLoadDataEx=2"), "opened");
#endif
}

TEST(GpuDevice, AGpuOlderThanThePtxIsLeftToNvrtc) {
  const DriverTrouble driver("capability=61");
  const GpuRecords seen = measured(gpu_plan({"copy"}));
  EXPECT_EQ(seen.outcome.exit_status, 0);
  EXPECT_THAT(seen.named("variant").front()["code"].get<std::string>(),
              StartsWith("CUDA C++ by NVRTC 12.4"));
}

TEST(GpuDevice, AKernelThatDoesNotCompileIsASentence) {
  for (const std::string trouble : {"compiler=fails", "architectures=90,100"}) {
    const DriverTrouble driver("capability=61 " + trouble);
    auto device = open_device("cuda:0");
    ASSERT_TRUE(device) << device.error().message;
    const DeviceProgram fill = fill_program(ElementType::kDouble);
    const auto kernel = (*device)->compile(fill.text, fill.name.c_str());
    ASSERT_FALSE(kernel);
    EXPECT_THAT(kernel.error().message,
                HasSubstr(trouble == "compiler=fails"
                              ? "cuda:0: NVRTC cannot compile a kernel (error 6): kernel.cu(1): "
                                "error: as the test asks"
                              : "compiles for no GPU of compute capability 6.1"));
  }
  // The text of no program of ours.
  auto device = open_device("cuda:0");
  ASSERT_TRUE(device) << device.error().message;
  const auto wrong = (*device)->compile("__kernel void other( {", "other");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("NVRTC cannot compile a kernel"));
}

TEST(GpuDevice, AnNvrtcOlderThanTheGpuMakesPtx) {
  const DriverTrouble driver("ptx=222 architectures=75,80");
  EXPECT_EQ(measured(gpu_plan({"sum"})).outcome.exit_status, 0);
}

TEST(GpuDevice, AWrongElementAndAWrongSumMakeAResultInvalid) {
  const DriverTrouble driver("wrong=1234 sums=wrong");
  const GpuRecords seen = measured(gpu_plan({"copy", "sum"}));
  EXPECT_EQ(seen.outcome.exit_status, 1);
  for (const Json& each : seen.named("validation")) {
    EXPECT_EQ(each["valid"], false) << each;
  }
}

TEST(GpuDevice, StampsThatMeanNothingAreNotBelieved) {
  for (const char* const trouble : {"stamps=0", "stamps=0.2", "cuEventElapsedTime=600"}) {
    const DriverTrouble driver(trouble);
    Plan plan = gpu_plan({"copy"});
    plan.array_bytes = 4 << 20;  // long against the launch of a kernel that does nothing
    const GpuRecords seen = measured(plan);
    EXPECT_EQ(seen.named("device-clock").front()["timed_by"], "host") << trouble;
    EXPECT_EQ(seen.outcome.exit_status, 0) << trouble;
  }
}

TEST(GpuDevice, WhatFailsDuringARunEndsItWithARecord) {
  const std::vector<std::pair<const char*, const char*>> troubles{
      {"room=120000", "an array of 48.8 KiB cannot be allocated: its memory is full"},
      {"cuMemAlloc_v2=2@2", "cannot be allocated: its memory is full"},
      {"cuLaunchKernel=719@30", "a kernel cannot be started: it ended in the middle"},
      {"cuCtxSynchronize=700@30", "a kernel failed: it used memory that is not its own"},
      {"cuMemcpyDtoH_v2=214@3", "reading an array back failed: its memory has an error"},
      {"cuMemcpyHtoD_v2=999", "writing an array failed"},
      {"cuModuleGetFunction=500", "a kernel is not in what was compiled"}};
  for (const auto& [trouble, words] : troubles) {
    const DriverTrouble driver(trouble);
    const GpuRecords seen = measured(gpu_plan({"triad"}));
    EXPECT_EQ(seen.outcome.exit_status, 1) << trouble;
    EXPECT_THAT(seen.outcome.message.value_or(""), HasSubstr(words)) << trouble;
    EXPECT_EQ(seen.named("end").back()["reason"], "error") << trouble;
  }
}

TEST(GpuDevice, ShapesThatGainAreMeasuredAndRight) {
  Plan plan = gpu_plan({"dot"});
  plan.tuning.emplace().budget_seconds = 3.0;
  const GpuRecords seen = measured(plan);
  EXPECT_EQ(seen.outcome.exit_status, 0) << seen.outcome.message.value_or("");
  EXPECT_GT(seen.named("tuning").front()["candidates"], 1);
  for (const Json& each : seen.named("validation")) {
    EXPECT_EQ(each["valid"], true) << each;
  }
}

}  // namespace
}  // namespace streamgage::engine

#endif
