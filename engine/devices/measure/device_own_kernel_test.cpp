#include "devices/measure/device_own_kernel.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "devices/measure/device_own_workload.hpp"
#include "devices/measure/device_session.hpp"
#include "devices/testing/host_device.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_machine.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kTriadText = R"(// streamgage: name device-triad
  // streamgage: formula a = b + s*c
// streamgage: array a double write
// streamgage: array b double read per_iteration=2 extra=3 bytes=24
// streamgage: array c float read
// streamgage: flops 2
__kernel void run(__global double *a) {}
kernel void check (__global double *a) {}
)";

tl::expected<DeviceOwnKernel, KernelFailure> parse_own(
    const std::string& text, DeviceLanguage language = DeviceLanguage::kOpenclC) {
  return parse_device_kernel(text, {"/tmp/mine.cl", "", "folder/mine.cl", language}, 0);
}

std::string refusal_of_own(const std::string& from, const std::string& to) {
  std::string text = kTriadText;
  text.replace(text.find(from), from.size(), to);
  const auto kernel = parse_own(text);
  return kernel ? "" : kernel.error().message;
}

TEST(DeviceOwnKernel, EveryLineIsRead) {
  const auto kernel = parse_own(kTriadText);
  ASSERT_TRUE(kernel) << kernel.error().message;
  const OwnKernel& facts = *kernel->facts;
  EXPECT_EQ(facts.name, "device-triad");
  EXPECT_EQ(facts.formula, "a = b + s*c");
  EXPECT_EQ(facts.source, "folder/mine.cl");
  EXPECT_EQ(kernel->program.file, "mine.cl");
  EXPECT_EQ(kernel->program.text, kTriadText);
  EXPECT_EQ(facts.flops, 2.0);
  ASSERT_EQ(facts.arrays.size(), 3U);
  EXPECT_TRUE(facts.arrays[0].is_written);
  EXPECT_FALSE(facts.arrays[0].is_read);
  EXPECT_EQ(facts.arrays[1].per_iteration, 2.0);
  EXPECT_EQ(facts.arrays[1].extra, 3);
  EXPECT_EQ(facts.arrays[1].bytes, 24.0);
  EXPECT_EQ(facts.arrays[2].type, ArrayType::kFloat);
  EXPECT_FALSE(kernel->fills);
  EXPECT_TRUE(kernel->checks);
  EXPECT_EQ(facts.row.name, "device-triad");
}

TEST(DeviceOwnKernel, WhatIsWrongIsOneSentence) {
  EXPECT_THAT(refusal_of_own("name device-triad", "name"), HasSubstr("declares no valid name"));
  EXPECT_THAT(refusal_of_own("name device-triad", "name triad"),
              HasSubstr("name of a built-in kernel"));
  EXPECT_THAT(refusal_of_own("a double write", "a double"), HasSubstr("how it uses its array a"));
  EXPECT_THAT(refusal_of_own("a double write", "a half write"), HasSubstr("unknown type"));
  EXPECT_THAT(refusal_of_own("extra=3", "extra=x"),
              HasSubstr("declares 'extra=x' for its array b"));
  EXPECT_THAT(refusal_of_own("extra=3", "extra=-1"), HasSubstr("declares 'extra=-1'"));
  EXPECT_THAT(refusal_of_own("flops 2", "flops two"), HasSubstr("no number of flops"));
  EXPECT_THAT(refusal_of_own("flops 2", "grain 2"), HasSubstr("a line 'streamgage: grain'"));
  EXPECT_THAT(refusal_of_own("void run", "void go"), HasSubstr("declares no function to run"));
  EXPECT_EQ(parse_own("").error().reason, FailureReason::kDeclaration);
}

TEST(DeviceOwnKernel, ThoseOfCudaAreFoundByTheirQualifiers) {
  const std::string declared =
      "// streamgage: name mine\n// streamgage: formula a = 1\n"
      "// streamgage: array a double write\n";
  const auto parsed = [&](const std::string& text) {
    return parse_own(declared + text, DeviceLanguage::kCudaCpp);
  };
  const auto usual = parsed(
      "extern \"C\" __global__ void run(double *a) {}\n"
      "extern \"C\" __global__ void __launch_bounds__(256, 4) fill(double *a) {}\n");
  ASSERT_TRUE(usual) << usual.error().message;
  EXPECT_TRUE(usual->fills);
  EXPECT_FALSE(usual->checks);
  EXPECT_TRUE(
      parsed("extern \"C\" {\n__global__ __launch_bounds__(256)\nvoid run (double *a) {}\n}"));
  EXPECT_THAT(parsed("__global__ void run(double *a) {}").error().message,
              HasSubstr("mine.cl has kernels with C++ names; write extern \"C\""));
  for (const char* const other : {"kernel void run(double *a) {}", "void run(double *a) {}",
                                  "extern \"C\" __global__ void rerun(double *a) {}"}) {
    EXPECT_THAT(parsed(other).error().message, HasSubstr("declares no function to run")) << other;
  }
  EXPECT_THAT(parse_own(declared + "__global__ void run(double *a) {}").error().message,
              HasSubstr("declares no function to run"));
}

TEST(DeviceOwnKernel, AFileThatIsNotThereIsOneSentence) {
  const auto kernel =
      load_device_kernel({"/nowhere/mine.cl", "OpenCL C", "mine.cl", DeviceLanguage::kOpenclC}, 0);
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().message, HasSubstr("mine.cl cannot be read"));
}

TEST(DeviceOwnKernel, TheScalarIsOfTheFirstFloatingPointArray) {
  DeviceFacts device;
  device.has_double = true;
  EXPECT_EQ(scalar_type(*parse_own(kTriadText)->facts, device), ElementType::kDouble);
  std::string text = kTriadText;
  for (std::size_t at = 0; (at = text.find("double ", at)) != std::string::npos;) {
    text.replace(at, 7, "int32 ");
  }
  EXPECT_EQ(scalar_type(*parse_own(text)->facts, device), ElementType::kFloat);
  text.replace(text.find("c float"), 7, "c int64");
  EXPECT_EQ(scalar_type(*parse_own(text)->facts, device), ElementType::kDouble);
  device.has_double = false;
  EXPECT_EQ(scalar_type(*parse_own(text)->facts, device), ElementType::kFloat);
}

// A kernel of two arrays, which the device in this process runs as a test says.
constexpr const char* kOwnText = R"(// streamgage: name own
// streamgage: formula a = s*b
// streamgage: array a double write
// streamgage: array b double read
kernel void run(...) {}
kernel void check(...) {}
)";

using OwnWork =
    std::function<void(std::span<double> a, std::span<double> b, double s, std::uint64_t items)>;

struct OwnOnHost {
  explicit OwnOnHost(const OwnWork& run, std::uint32_t wrong = 0) {
    device.teach(kOwnText, kOwnRun, [run](std::span<const Argument> arguments, const Grid& grid) {
      const auto iterations = std::get<std::uint64_t>(arguments[3]);
      // With what lies behind the arrays; a test may step before them, too.
      run({HostDevice::elements_of<double>(arguments[0]), iterations + 4},
          {HostDevice::elements_of<double>(arguments[1]), iterations + 4},
          std::get<double>(arguments[2]), grid.group_items);
    });
    device.teach(kOwnText, kOwnCheck, [wrong](std::span<const Argument> arguments, const Grid&) {
      *HostDevice::elements_of<std::uint32_t>(arguments[4]) = wrong;
    });
  }

  std::optional<KernelFailure> check() {
    DeviceOwnWorkload workload(device, parse_own(kOwnText).value(), 1024, 60.0);
    EXPECT_FALSE(workload.build().value());
    return workload.check(checked).value();
  }

  HostDevice device;
  std::vector<std::string> checked;
};

void scale_by_s(std::span<double> a, std::span<double> b, double s, std::uint64_t /*items*/) {
  for (std::size_t i = 0; i + 4 < a.size(); ++i) {
    a[i] = s * b[i];
  }
}

TEST(DeviceOwnWorkload, AKernelThatIsRightPassesEveryCheck) {
  OwnOnHost own(scale_by_s);
  EXPECT_FALSE(own.check());
  EXPECT_THAT(own.checked, ElementsAre("declaration", "bounds", "accesses", "division", "result"));
}

TEST(DeviceOwnWorkload, OfTheCompilersLogItsFirstErrorIsSaid) {
  HostDevice device;
  device.refuse_programs(
      "it fails (OpenCL error -11): 3 lines\n/tmp/x.cl:7:3: error: expected expression.\nx");
  DeviceOwnWorkload workload(device, parse_own(kOwnText).value(), 1024, 60.0);
  const auto failure = workload.build().value();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->reason, FailureReason::kCompile);
  EXPECT_EQ(failure->message,
            "the kernel own of folder/mine.cl does not compile: mine.cl:7: expected expression");
}

TEST(DeviceOwnWorkload, WhatIsWrongIsFound) {
  const auto with = [](auto&& also) {
    return [also](std::span<double> a, std::span<double> b, double s, std::uint64_t items) {
      scale_by_s(a, b, s, items);
      also(a, b, items);
    };
  };
  const auto why = [](const OwnWork& run, std::uint32_t wrong = 0) {
    OwnOnHost own(run, wrong);
    const auto failure = own.check();
    return failure ? std::pair(failure->reason, failure->message)
                   : std::pair(FailureReason::kTimeout, std::string{});
  };
  const auto outside = why(with([](auto a, auto, auto) { a[1026] = 1.0; }));
  EXPECT_EQ(outside.first, FailureReason::kOutside);
  EXPECT_THAT(outside.second, HasSubstr("writes element 1026 of its array a, which has 1024"));
  const auto before = why(with([](auto a, auto, auto) { *(a.data() - 3) = 1.0; }));
  EXPECT_EQ(before.first, FailureReason::kOutside);
  EXPECT_THAT(before.second, HasSubstr("writes element -3 of its array a, which has 1024"));
  const auto access = why(with([](auto, auto b, auto) { b[7] = 99.0; }));
  EXPECT_EQ(access.first, FailureReason::kAccess);
  EXPECT_THAT(access.second, HasSubstr("writes element 7 of its array b"));
  const auto division =
      why(with([](auto a, auto, auto items) { a[3] = static_cast<double>(items); }));
  EXPECT_EQ(division.first, FailureReason::kDivision);
  EXPECT_THAT(division.second, HasSubstr("element 3 of its array a differs"));
  const auto check = why(scale_by_s, 5);
  EXPECT_EQ(check.first, FailureReason::kCheck);
  EXPECT_THAT(check.second, HasSubstr("5 of 1024 iterations are wrong"));
}

// The plan of a session with that kernel, and its records.
std::vector<Json> records_with(OwnOnHost& own, Plan plan, int exit_status) {
  const FakeTree tree;
  tree.write("own_on_host.cl", kOwnText);
  const std::string path = tree.path("own_on_host.cl");
  plan.device = "host:0";
  plan.own_kernels = {{path, "OpenCL C", "mine.cl", DeviceLanguage::kOpenclC}};
  if (!plan.working_set_bytes) {
    plan.array_bytes = 100'000;
  }
  plan.seed = 7;
  plan.sampling = {4, 4, 4, 1000.0};
  RecordList records;
  const Machine machine = small_machine();
  const auto outcome = run_device_session(machine, plan, own.device, records);
  EXPECT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome.value_or(DeviceOutcome{}).exit_status, exit_status);
  return records.records;
}

std::vector<Json> kind_of_record(const std::vector<Json>& records, const char* kind) {
  std::vector<Json> found;
  std::copy_if(records.begin(), records.end(), std::back_inserter(found),
               [kind](const Json& record) { return record["record"] == kind; });
  return found;
}

TEST(DeviceOwnKernel, IsMeasuredNextToBuiltInOnesAndValidated) {
  OwnOnHost own(scale_by_s);
  Plan plan;
  plan.kernels = {"copy"};
  const auto records = records_with(own, plan, 0);
  ASSERT_EQ(kind_of_record(records, "variant").size(), 2U);
  const Json variant = kind_of_record(records, "variant").back();
  EXPECT_EQ(variant["kernel"], "own");
  EXPECT_EQ(variant["elements"], 100'000 / 8 / 256 * 256);
  EXPECT_EQ(kind_of_record(records, "kernel-check").size(), 1U);
  for (const Json& each : kind_of_record(records, "validation")) {
    EXPECT_EQ(each["valid"], true) << each;
  }
}

TEST(DeviceOwnKernel, HasNoMoreIterationsThanALaunchHasItems) {
  OwnOnHost own(scale_by_s);
  own.device.changed_facts().most_items = 70'000;
  Plan plan;
  plan.kernels.clear();
  plan.working_set_bytes = 2'000'000;
  const auto records = records_with(own, plan, 0);
  EXPECT_EQ(kind_of_record(records, "variant").front()["elements"], 70'000 / 256 * 256);
}

TEST(DeviceOwnKernel, AloneItIsMeasuredToo) {
  OwnOnHost own(scale_by_s);
  Plan plan;
  plan.kernels.clear();
  EXPECT_EQ(kind_of_record(records_with(own, plan, 0), "variant").size(), 1U);
}

TEST(DeviceOwnKernel, OneThatFailsIsLeftOutAndTheOthersAreMeasured) {
  OwnOnHost own(scale_by_s, 3);
  Plan plan;
  plan.kernels = {"copy"};
  const auto records = records_with(own, plan, 1);
  EXPECT_EQ(kind_of_record(records, "kernel-failure").front()["reason"], "check");
  EXPECT_EQ(kind_of_record(records, "variant").size(), 1U);
  plan.kernels.clear();
  OwnOnHost alone(scale_by_s, 3);
  EXPECT_THAT(kind_of_record(records_with(alone, plan, 1), "end").front()["message"],
              testing::ResultOf([](const Json& said) { return said.get<std::string>(); },
                                HasSubstr("nothing is left to measure")));
}

TEST(DeviceOwnKernel, AWorkingSetIsThatOfAllItsArrays) {
  OwnOnHost own(scale_by_s);
  Plan plan;
  plan.kernels.clear();
  plan.working_set_bytes = 100'000;
  const auto records = records_with(own, plan, 0);
  EXPECT_EQ(kind_of_record(records, "variant").front()["elements"], 100'000 / 16 / 256 * 256);
}

TEST(DeviceOwnKernel, AWorkingSetWithoutOneGroupIsRefused) {
  const FakeTree tree;
  tree.write("mine.cl", kOwnText);
  OwnOnHost own(scale_by_s);
  Plan plan;
  plan.kernels.clear();
  plan.device = "host:0";
  plan.working_set_bytes = 4000;
  plan.own_kernels = {{tree.path("mine.cl"), "OpenCL C", "mine.cl", DeviceLanguage::kOpenclC}};
  RecordList records;
  const auto outcome = run_device_session(small_machine(), plan, own.device, records);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().status, ExitStatus::kUsage);
  EXPECT_THAT(outcome.error().message,
              HasSubstr("too few for all arrays of the kernel own, whose iterations run in whole "
                        "groups of 256 work-items; ask for at least 4096 bytes"));
}

TEST(DeviceOwnKernel, InALanguageThatTheDeviceDoesNotCompileItIsRefused) {
  HostDevice device;
  Plan plan;
  plan.own_kernels = {{"/mine.cu", "CUDA C++", "mine.cu", DeviceLanguage::kCudaCpp}};
  const auto checked = check_device_plan(plan, device);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().status, ExitStatus::kUsage);
  EXPECT_EQ(checked.error().message,
            "mine.cu is in cuda-c++, and host:0 (a device in this process) compiles opencl-c: name "
            "another device");
}

TEST(DeviceOwnKernel, OnlyCheckedNothingIsMeasured) {
  OwnOnHost own(scale_by_s);
  Plan plan;
  plan.kernels.clear();
  plan.check_kernels = true;
  const auto records = records_with(own, plan, 0);
  EXPECT_EQ(kind_of_record(records, "kernel-check").size(), 1U);
  EXPECT_TRUE(kind_of_record(records, "sample").empty());
}

}  // namespace
}  // namespace streamgage::engine
