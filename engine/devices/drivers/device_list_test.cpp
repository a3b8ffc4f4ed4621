#include "devices/drivers/device_list.hpp"

#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

DeviceFacts device_of(const char* id, const char* kind) {
  DeviceFacts facts;
  facts.id = id;
  facts.name = std::string("Example ") + kind;
  facts.kind = kind;
  return facts;
}

DeviceList two_gpus_and_a_processor() {
  return {
      {device_of("opencl:0", "gpu"), device_of("opencl:1", "cpu"), device_of("opencl:2", "gpu")},
      {}};
}

std::vector<std::string> ids_of(const Result<DeviceList>& list) {
  std::vector<std::string> ids;
  for (const DeviceFacts& each : list.value_or(DeviceList{}).devices) {
    ids.push_back(each.id);
  }
  return ids;
}

TEST(DeviceList, ANameStandsForOneDeviceForAllGpusOrForAll) {
  using Ids = std::vector<std::string>;
  const auto ids = [](const char* name) {
    return ids_of(choose_devices(name, two_gpus_and_a_processor()));
  };
  EXPECT_EQ(ids("gpu"), (Ids{"opencl:0", "opencl:2"}));
  EXPECT_EQ(ids("all"), (Ids{"opencl:0", "opencl:1", "opencl:2"}));
  EXPECT_EQ(ids("opencl:1"), Ids{"opencl:1"});
}

TEST(DeviceList, WhereThereIsNoGpuTheSentenceSaysWhatThereIs) {
  DeviceList processor;
  processor.devices = {device_of("opencl:0", "cpu")};
  const auto none = choose_devices("gpu", processor);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().status, ExitStatus::kUsage);
  EXPECT_EQ(none.error().message, "none of the devices is a GPU: there is opencl:0 (Example cpu)");
  const auto nothing = choose_devices("gpu", {{}, {"there is no OpenCL on this system"}});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().message, "there is no GPU: there is no OpenCL on this system");
}

TEST(DeviceList, ADeviceThatTwoDriversListIsTakenOnce) {
  DeviceList list = two_gpus_and_a_processor();
  for (const int place : {0, 2}) {
    list.devices[place].pci_address = "0000:3b:00.0";
  }
  using Ids = std::vector<std::string>;
  EXPECT_EQ(ids_of(choose_devices("gpu", list)), (Ids{"opencl:0", "opencl:2"})) << "two parts";
  list.devices[0].id = "other:0";
  EXPECT_EQ(ids_of(choose_devices("gpu", list)), Ids{"other:0"});
  EXPECT_EQ(ids_of(choose_devices("all", list)), (Ids{"other:0", "opencl:1"}));
  EXPECT_EQ(ids_of(choose_devices("opencl:2", list)), Ids{"opencl:2"}) << "by its name it is found";
}

TEST(DeviceList, AUuidAndAPciAddressNameADevice) {
  DeviceList list = two_gpus_and_a_processor();
  list.devices[2].pci_address = "0000:3b:00.0";
  list.devices[2].uuid = "GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadae01";
  using Ids = std::vector<std::string>;
  for (const char* const name :
       {"GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadae01", "0000:3b:00.0", "3B:00.0", "opencl:2"}) {
    EXPECT_EQ(ids_of(choose_devices(name, list)), Ids{"opencl:2"}) << name;
  }
  const auto none = choose_devices("3c:00.0", list);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().status, ExitStatus::kUsage);
  EXPECT_THAT(none.error().message,
              HasSubstr("there is no device 3c:00.0; there is opencl:0 (Example gpu), "));
  const auto slice = choose_devices("MIG-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadae01", list);
  ASSERT_FALSE(slice);
  EXPECT_THAT(slice.error().message, HasSubstr("set CUDA_VISIBLE_DEVICES to this one's UUID"));
}

TEST(DeviceList, AllMayBeNone) {
  const auto all = choose_devices("all", {{}, {"there is no OpenCL on this system"}});
  ASSERT_TRUE(all);
  const Json record = devices_record("all", *all);
  EXPECT_TRUE(record["devices"].empty());
  EXPECT_EQ(record["reasons"].front(), "there is no OpenCL on this system");
}

TEST(DeviceList, ANameThatIsNoneIsRefused) {
  const auto none = choose_devices("vulkan:0", two_gpus_and_a_processor());
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("there is no device 'vulkan:0'"));
}

}  // namespace
}  // namespace streamgage::engine
