// CUDA and HIP on the drivers in probes/, which stand where the real ones do.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "devices/code_texts.hpp"
#include "devices/device_source.hpp"
#include "devices/drivers/device_backends.hpp"
#include "devices/drivers/gpu_device.hpp"
#include "devices/measure/device_chain.hpp"
#include "devices/measure/device_copies_session.hpp"
#include "devices/measure/device_session.hpp"
#include "devices/measure/device_workload.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_machine.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"

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
  return {records.records, outcome.value_or(DeviceOutcome{})};
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

TEST(GpuDevice, NvrtcCompilesWhereTheDriverIsForbiddenTo) {
  const DriverTrouble driver("ptx=223");
  EXPECT_EQ(measured(gpu_plan({"copy"})).outcome.exit_status, 0);
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

TEST(GpuDevice, EveryKernelIsRightInManyPassesOfOneLaunch) {
  auto device = open_device("cuda:0");
  ASSERT_TRUE(device) << device.error().message;
  const DeviceShape shape = shape_of_passes_inside((*device)->facts());
  DeviceWorkload workload(**device, ElementType::kFloat, 50'000, 4, Passes::kInside);
  for (const Kernel& kernel : kCatalogue) {
    Variant variant;
    variant.kernel = &kernel;
    variant.type = ElementType::kFloat;
    ASSERT_TRUE(workload.renew());
    const auto run = workload.run(variant, shape, kernel.reduces() ? 301 : 5);
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

TEST(GpuDevice, TheTemperatureAndWhatSlowedItComeFromOldAndFromNewDrivers) {
  for (const char* const trouble : {"nvml_old=13", "nvml_new=13"}) {
    const DriverTrouble driver(trouble);
    const Json state = measured(gpu_plan({"copy"})).named("device-state").front();
    EXPECT_EQ(state["celsius_high"], 61.0) << trouble;
    ASSERT_EQ(state["slowed_by"].size(), 1U) << trouble;
    EXPECT_EQ(state["slowed_by"][0]["reason"], "power-cap") << trouble;
  }
}

TEST(GpuDevice, OtherProcessesOnItAreCounted) {
  const DriverTrouble driver("processes=3");
  const Json state = measured(gpu_plan({"copy"})).named("device-state").front();
  EXPECT_EQ(state["other_processes"], 2);
}

TEST(GpuDevice, MoreProcessesThanThereIsRoomForAreCounted) {
  const DriverTrouble driver("processes=500");
  const Json state = measured(gpu_plan({"copy"})).named("device-state").front();
  EXPECT_EQ(state["other_processes"], 499);
}

TEST(GpuDevice, TheProcessesAndThePowerOfOtherSlicesAreNotThoseOfASlice) {
  const DriverTrouble driver("processes=7 gpu=A100-MIG-1g.10gb");
  const Json state = measured(gpu_plan({"copy"})).named("device-state").front();
  EXPECT_TRUE(state["other_processes"].is_null());
  EXPECT_TRUE(state["watts_high"].is_null());
  EXPECT_EQ(state["celsius_high"], 61.0);
}

// This one has the GPU open, so that NVML does not see all where it counts none.
TEST(GpuDevice, NoProcessesAtAllMeanThatTheirNumberIsUnknown) {
  const DriverTrouble driver("processes=0");
  const Json state = measured(gpu_plan({"copy"})).named("device-state").front();
  EXPECT_TRUE(state["other_processes"].is_null());
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

// What the driver of a Jetson AGX Orin answers, whose memory has 204.8 GB/s.
TEST(GpuDevice, AnIntegratedOneGivesNoClockAndNoWidthOfItsMemory) {
  const DriverTrouble driver("integrated=1 memory_kilohertz=612000 bus_bits=256 capability=87");
  const auto listed = gpu::list_cuda();
  ASSERT_TRUE(listed) << listed.error().message;
  EXPECT_TRUE(listed->front().shares_host_memory);
  EXPECT_EQ(listed->front().memory_clock_hertz, 0U);
  EXPECT_EQ(listed->front().memory_bus_bits, 0U);
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

TEST(GpuDevice, TheOrderIsThatOfNvidiaSmiUnlessAnotherOneIsAskedFor) {
  const DriverTrouble driver("devices=2");
  unsetenv("CUDA_DEVICE_ORDER");
  for (const auto& [order, first] : {std::pair{"", "ffff:17:00.0"},
                                     {"FASTEST_FIRST", "ffff:18:00.0"},
                                     {"PCI_BUS_ID", "ffff:17:00.0"}}) {
    if (*order != '\0') {
      setenv("CUDA_DEVICE_ORDER", order, 1);
    }
    const auto listed = gpu::list_cuda();
    ASSERT_TRUE(listed) << listed.error().message;
    EXPECT_EQ(listed->front().pci_address, first) << order;
  }
  unsetenv("CUDA_DEVICE_ORDER");
}

TEST(GpuDevice, HasTheUuidThatToolsShow) {
  const auto uuid_of = [](const char* trouble, auto list) {
    const DriverTrouble driver(trouble);
    const auto listed = list();
    EXPECT_TRUE(listed) << listed.error().message;
    return listed->back().uuid;
  };
  EXPECT_EQ(uuid_of("devices=2", gpu::list_cuda), "GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadae01");
  EXPECT_EQ(uuid_of("gpu=A100-MIG-1g.10gb", gpu::list_cuda),
            "MIG-51a1a2a3-a4a5-a6a7-a8a9-aaabacadae00");
  EXPECT_EQ(uuid_of("cuDeviceGetUuid=801", gpu::list_cuda), "");
  EXPECT_EQ(uuid_of("devices=2", gpu::list_hip), "GPU-18a5c3f2e4d6b701");
  EXPECT_EQ(uuid_of("uuid=XX", gpu::list_hip), "");  // a GPU that AMD gave no number
}

TEST(GpuDevice, ADeviceThatCannotBeHadIsASentence) {
  EXPECT_EQ(refused(""), "opened");
  EXPECT_THAT(refused("cuInit=100"), StartsWith("2: cuda:0: the CUDA driver finds no GPU"));
  EXPECT_THAT(refused("devices=0"), StartsWith("2: cuda:0: the CUDA driver finds no GPU"));
  EXPECT_THAT(refused("cuInit=304"),
              StartsWith("2: cuda:0: the CUDA driver does not start: the system does not permit it "
                         "(CUDA_ERROR_OPERATING_SYSTEM)"));
  EXPECT_THAT(refused("cuInit=803"), HasSubstr("are of different versions"));
  EXPECT_THAT(refused("cuInit=802"), HasSubstr("start nvidia-fabricmanager"));
  EXPECT_THAT(refused("cuInit=804"), HasSubstr("(cuda-compat)"));
  EXPECT_THAT(refused("cuInit=12345"), HasSubstr("the driver refuses it (error 12345)"));
  EXPECT_THAT(refused("cuDeviceGetCount=999"),
              StartsWith("1: cuda:0: the CUDA driver does not list its GPUs"));
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
  EXPECT_FALSE(facts.has_ecc.has_value());  // HIP answers that it is off, whatever is so
  // KFD has no GPU at that address.
  EXPECT_EQ(facts.cache_bytes, 0U);
  EXPECT_EQ(facts.architecture, "");
  EXPECT_FALSE((*device)->state());
}

TEST(GpuDevice, WhatFailsByHipIsASentence) {
  EXPECT_THAT(refused("cuInit=100", "hip:0"), StartsWith("2: hip:0: the HIP driver finds no GPU"));
  EXPECT_EQ(refused("", "hip:1"), "2: there is no device hip:1; there is hip:0 (Test GPU)");
  EXPECT_THAT(refused("hipSetDevice=2", "hip:0"),
              StartsWith("1: hip:0: Test GPU cannot be opened: its memory is full "
                         "(hipErrorOutOfMemory)"));
  for (const char* const name : {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                 "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"}) {
    setenv(name, "7", 1);
    EXPECT_THAT(refused("devices=0", "hip:0"), HasSubstr(fmt::format("{}=7", name)));
    unsetenv(name);
  }
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

#if STREAMGAGE_WITH_PTX
TEST(GpuDevice, NothingIsComputedBetweenTwoLoadsOfAChain) {
  const std::regex load_from_what_was_loaded(R"(ld\.global\.u64\s+(%rd\d+), \[\1\];)");
  const auto all = embedded_ptx();
  const auto chase = std::find_if(all.begin(), all.end(), [](const Assembly& each) {
    return each.module == chase_program().name;
  });
  ASSERT_NE(chase, all.end());
  EXPECT_TRUE(std::regex_search(std::string(chase->text), load_from_what_was_loaded))
      << chase->text;
}
#endif

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

Plan plan_of_copies(const std::string& id) {
  Plan plan = gpu_plan({});
  plan.device = id;
  plan.copies = true;
  return plan;
}

GpuRecords copied(const std::string& id, const std::optional<std::string>& peer_id = {}) {
  const Plan plan = plan_of_copies(id);
  auto device = open_device(id);
  EXPECT_TRUE(device) << device.error().message;
  std::unique_ptr<Device> peer;
  if (peer_id) {
    auto opened = open_device(*peer_id);
    EXPECT_TRUE(opened) << opened.error().message;
    peer = std::move(*opened);
  }
  RecordList records;
  auto outcome = run_device_copies_session(small_machine(), plan, **device, peer.get(), records);
  EXPECT_TRUE(outcome) << outcome.error().message;
  return {records.records, outcome.value_or(Outcome{})};
}

// The error of copies between two devices that are not started.
std::string refused_between(const std::string& id, const std::string& peer_id) {
  auto device = open_device(id);
  auto peer = open_device(peer_id);
  EXPECT_TRUE(device && peer);
  RecordList records;
  const auto outcome = run_device_copies_session(small_machine(), plan_of_copies(id), **device,
                                                 peer->get(), records);
  return outcome ? "measured" : outcome.error().message;
}

TEST(GpuDevice, CopiesGoEachWayAndBothAtOnceByCudaAndByHip) {
  for (const std::string id : {"cuda:0", "hip:0"}) {
    const GpuRecords seen = copied(id);
    EXPECT_EQ(seen.outcome.exit_status, 0) << seen.outcome.message.value_or("");
    const auto validations = seen.named("validation");
    ASSERT_EQ(validations.size(), 6U);
    for (const Json& each : validations) {
      EXPECT_EQ(each["valid"], true) << each;
      EXPECT_EQ(each["spot_failures"], 0) << each;
    }
    EXPECT_EQ(seen.named("device").front()["id"], id);
  }
}

TEST(GpuDevice, CopiesOfPageableMemoryThatKeepTheirCallerRunAtTheSameTime) {
  const DriverTrouble driver("together=yes");
  auto device = open_device("cuda:0");
  ASSERT_TRUE(device) << device.error().message;
  auto first = (*device)->allocate(4096);
  auto second = (*device)->allocate(4096);
  ASSERT_TRUE(first && second);
  std::vector<std::byte> source(4096, std::byte{5});
  std::vector<std::byte> target(4096);
  const std::array<Transfer, 2> both{
      {{source.data(), first->get(), 4096}, {second->get(), target.data(), 4096}}};
  const auto seconds = (*device)->transfer(both, 3);
  ASSERT_TRUE(seconds) << seconds.error().message;
  EXPECT_GT(*seconds, 0.0);
}

TEST(GpuDevice, AByteThatACopyMakesWrongIsFound) {
  const DriverTrouble driver("copied=5004");
  const GpuRecords seen = copied("cuda:0");
  EXPECT_EQ(seen.outcome.exit_status, 1);
  for (const Json& each : seen.named("validation")) {
    EXPECT_EQ(each["valid"], false);
    EXPECT_EQ(each["first_wrong"], 5004 / 8);
  }
}

TEST(GpuDevice, CopiesThatAreLeftOutShowInEverySample) {
  const DriverTrouble driver("copies=lost");
  const GpuRecords seen = copied("hip:0");
  EXPECT_EQ(seen.outcome.exit_status, 1);
  for (const Json& each : seen.named("validation")) {
    EXPECT_EQ(each["valid"], false);
    EXPECT_GE(each["spot_failures"], 2);
  }
}

TEST(GpuDevice, WhatFailsDuringCopiesEndsThemWithARecord) {
  const std::vector<std::pair<const char*, const char*>> troubles{
      {"pinned=60000", "48.8 KiB of the host's memory cannot be pinned: its memory is full"},
      {"cuMemHostAlloc=2@2", "of the host's memory cannot be pinned: its memory is full"},
      {"room=60000", "an array of 48.8 KiB cannot be allocated: its memory is full"},
      {"cuMemcpyHtoDAsync_v2=700@5",
       "a copy between the host and the device failed: it used memory"},
      {"cuMemcpyDtoHAsync_v2=214@3",
       "a copy between the host and the device failed: its memory has"},
      {"cuStreamSynchronize=719@4", "a copy between the host and the device failed: it ended"},
      {"cuCtxSetCurrent=201@3", "cuda:0: it cannot be used"}};
  for (const auto& [trouble, words] : troubles) {
    const DriverTrouble driver(trouble);
    const GpuRecords seen = copied("cuda:0");
    EXPECT_EQ(seen.outcome.exit_status, 1) << trouble;
    EXPECT_THAT(seen.outcome.message.value_or(""), HasSubstr(words)) << trouble;
    EXPECT_EQ(seen.named("end").back()["reason"], "error") << trouble;
  }
  EXPECT_THAT(refused("cuStreamCreate=2@2"), StartsWith("1: cuda:0: it gives no streams"));
}

TEST(GpuDevice, CopiesBetweenTwoDevicesGoEachWayAndBothAtOnce) {
  const DriverTrouble driver("devices=2");
  for (const std::string word : {"cuda", "hip"}) {
    const GpuRecords seen = copied(word + ":0", word + ":1");
    EXPECT_EQ(seen.outcome.exit_status, 0) << seen.outcome.message.value_or("");
    const auto validations = seen.named("validation");
    ASSERT_EQ(validations.size(), 3U);
    for (const Json& each : validations) {
      EXPECT_EQ(each["valid"], true) << each;
      EXPECT_EQ(each["spot_failures"], 0) << each;
    }
    const Json path = seen.named("peer").front();
    EXPECT_EQ(path["id"], word + ":1");
    EXPECT_EQ(path["to_peer"], "peer-access");
    EXPECT_EQ(path["from_peer"], "peer-access");
  }
}

TEST(GpuDevice, WhereNoAccessIsGrantedCopiesGoThroughTheHost) {
  for (const char* const trouble : {"devices=3 peers=no", "devices=3 cuCtxEnablePeerAccess=217",
                                    "devices=3 cuCtxEnablePeerAccess=711"}) {
    const DriverTrouble driver(trouble);
    const GpuRecords seen = copied("cuda:2", "cuda:1");
    EXPECT_EQ(seen.outcome.exit_status, 0) << trouble;
    const Json path = seen.named("peer").front();
    EXPECT_EQ(path["to_peer"], "through-host") << trouble;
    EXPECT_EQ(path["from_peer"], "through-host") << trouble;
  }
}

TEST(GpuDevice, WhatIsWrongBetweenTwoDevicesIsFound) {
  for (const char* const trouble : {"devices=2 copied=49999", "devices=2 copies=lost"}) {
    const DriverTrouble driver(trouble);
    const GpuRecords seen = copied("hip:1", "hip:0");
    EXPECT_EQ(seen.outcome.exit_status, 1) << trouble;
    for (const Json& each : seen.named("validation")) {
      EXPECT_EQ(each["valid"], false) << trouble;
    }
  }
}

TEST(GpuDevice, WhatFailsBetweenTwoDevicesEndsTheCopiesWithARecord) {
  const std::vector<std::pair<const char*, const char*>> troubles{
      {"room=160000", "an array of 48.8 KiB cannot be allocated: its memory is full"},
      {"cuMemcpyPeerAsync=700@3", "a copy between two devices failed: it used memory"},
      {"cuStreamSynchronize=719@2", "a copy between two devices failed: it ended in the middle"},
      {"cuCtxSynchronize=700@3", "writing an array failed: it used memory"}};
  for (const auto& [trouble, words] : troubles) {
    const DriverTrouble driver(std::string("devices=2 ") + trouble);
    const GpuRecords seen = copied("cuda:0", "cuda:1");
    EXPECT_EQ(seen.outcome.exit_status, 1) << trouble;
    EXPECT_THAT(seen.outcome.message.value_or(""), HasSubstr(words)) << trouble;
    EXPECT_EQ(seen.named("end").back()["reason"], "error") << trouble;
  }
}

TEST(GpuDevice, CopiesBetweenDevicesOfTwoDriversAreRefused) {
  EXPECT_EQ(
      refused_between("cuda:0", "hip:0"),
      "copies between cuda:0 and hip:0 are not measured: name two GPUs by CUDA, or two by HIP");
  for (const char* const trouble : {"cuDeviceCanAccessPeer=999", "cuCtxEnablePeerAccess=999"}) {
    const DriverTrouble driver(std::string("devices=2 ") + trouble);
    EXPECT_THAT(refused_between("cuda:0", "cuda:1"),
                HasSubstr("the driver refuses it (error 999)"));
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

constexpr const char* kOwnTriad = R"(// streamgage: name mine
// streamgage: formula a = b + s*c
// streamgage: array a double write
// streamgage: array b double read
// streamgage: array c double read
extern "C" __global__ void fill(double *a, double *b, double *c, const double s,
                                const unsigned long long iterations) {
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = i % 7;
}
extern "C" __global__ void run(double *a, const double *b, const double *c, const double s,
                               const unsigned long long iterations) {
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[i] + s * c[i];
}
extern "C" __global__ void check(const double *a, const double *b, const double *c, const double s,
                                 const unsigned long long iterations, unsigned int *wrong) {
  const unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (a[i] != b[i] + s * c[i] || b[i] != i % 7) atomicAdd(wrong, 1u);
}
)";
constexpr const char* kWork = "a[i] = b[i] + s * c[i];";

GpuRecords measured_own(const std::string& text, const std::string& id = "cuda:0") {
  const FakeTree tree;
  tree.write("mine.cu", text);
  Plan plan = gpu_plan({"copy"});
  plan.device = id;
  plan.own_kernels = {{tree.path("mine.cu"), "CUDA C++", "mine.cu", DeviceLanguage::kCudaCpp}};
  return measured(plan);
}

// What is said of a kernel that fails, with its reason.
std::string failure_with(const std::string& from, const std::string& to,
                         const std::string& id = "cuda:0") {
  std::string text = kOwnTriad;
  text.replace(text.find(from), from.size(), to);
  const GpuRecords seen = measured_own(text, id);
  const auto failures = seen.named("kernel-failure");
  EXPECT_EQ(seen.named("variant").size(), 1U) << "copy is measured";
  EXPECT_EQ(seen.outcome.exit_status, 1);
  return failures.empty() ? ""
                          : fmt::format("{}: {}", failures.front()["reason"].get<std::string>(),
                                        failures.front()["message"].get<std::string>());
}

TEST(GpuDevice, AnOwnKernelIsCheckedMeasuredAndValidatedByBothInterfaces) {
  for (const std::string id : {"cuda:0", "hip:0"}) {
    const GpuRecords seen = measured_own(kOwnTriad, id);
    EXPECT_EQ(seen.outcome.exit_status, 0) << seen.outcome.message.value_or("");
    ASSERT_EQ(seen.named("kernel-check").size(), 1U);
    EXPECT_EQ(seen.named("kernel-check").front()["checked"],
              Json({"declaration", "bounds", "accesses", "division", "result"}));
    const Json own = seen.named("variant").back();
    EXPECT_EQ(own["kernel"], "mine");
    EXPECT_THAT(own["code"].get<std::string>(),
                StartsWith(id == "hip:0" ? "HIP C++ by hipRTC " : "CUDA C++ by NVRTC 12.4"));
    const auto validations = seen.named("validation");
    ASSERT_EQ(validations.size(), 2U);
    for (const Json& each : validations) {
      EXPECT_EQ(each["valid"], true) << each;
      EXPECT_GT(each["checked"], 0) << each;
    }
  }
}

TEST(GpuDevice, AnOwnKernelThatIsWrongIsLeftOutWithItsReason) {
  EXPECT_THAT(failure_with(kWork, "a[i] = b[i] + ;"),
              StartsWith("compile: the kernel mine of mine.cu does not compile: mine.cu:14: "));
  EXPECT_THAT(failure_with(kWork, "a[i] = b[i] + ;", "hip:0"),
              StartsWith("compile: the kernel mine of mine.cu does not compile: mine.cu:14: "));
  EXPECT_THAT(failure_with("void run", "void go"),
              StartsWith("declaration: the kernel mine of mine.cu declares no function to run"));
  EXPECT_THAT(failure_with("extern \"C\" __global__ void run",
                           "#if 0\n__global__ void run();\n#endif\n__global__ void go"),
              HasSubstr("does not compile: cuda:0: a kernel is not in what was compiled"));
  EXPECT_THAT(failure_with(kWork, "a[i] = b[i];"),
              StartsWith("check: the kernel mine of mine.cu fails its own check: "));
  EXPECT_THAT(failure_with(kWork, "a[i] = 0; if (i == 0) a[iterations + 3] = s;"),
              HasSubstr("outside: the kernel mine of mine.cu writes element "));
  EXPECT_THAT(failure_with(kWork, "a[i] = 0; if (i == 9) ((double *)b)[i] = s;"),
              HasSubstr("access: the kernel mine of mine.cu writes element 9 of its array b"));
  EXPECT_THAT(failure_with(kWork, "a[i] = blockDim.x;"),
              HasSubstr("gives another result in groups of 64 work-items than of 256"));
}

TEST(GpuDevice, AnOwnKernelWhoseLaunchFailsIsNamed) {
  const DriverTrouble driver("cuLaunchKernel=719@5");  // after three arrays and its own fill
  const FakeTree tree;
  tree.write("mine.cu", kOwnTriad);
  Plan plan = gpu_plan({});
  plan.own_kernels = {{tree.path("mine.cu"), "CUDA C++", "mine.cu", DeviceLanguage::kCudaCpp}};
  const GpuRecords seen = measured(plan);
  EXPECT_EQ(seen.outcome.exit_status, 1);
  EXPECT_EQ(seen.named("kernel-failure").front()["reason"], "crash");
  EXPECT_THAT(seen.named("kernel-failure").front()["message"].get<std::string>(),
              HasSubstr("fails on the device: cuda:0: a kernel cannot be started: it ended in the "
                        "middle (CUDA_ERROR_LAUNCH_FAILED)"));
}

}  // namespace
}  // namespace streamgage::engine

#endif
