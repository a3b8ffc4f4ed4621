#include "devices/measure/device_chain.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "devices/device_source.hpp"
#include "devices/testing/host_device.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

std::unique_ptr<DeviceKernel> chase_on(Device& device) {
  const DeviceProgram chase = chase_program();
  return device.compile(chase.text, chase.name.c_str()).value();
}

Result<DeviceChain> chain_on(Device& device, DeviceKernel& chase, std::uint64_t bytes) {
  return DeviceChain::make(device, chase, bytes, ChainOrder{128, 16 * kKiB, 5});
}

TEST(DeviceChain, EveryWalkGoesOnWhereTheLastOneEnded) {
  HostDevice device;
  const auto chase = chase_on(device);
  for (const std::uint64_t bytes : {std::uint64_t{1}, 128 * kKiB, std::uint64_t{100'000}}) {
    auto chain = chain_on(device, *chase, bytes).value();
    EXPECT_EQ(chain.lines(), std::max<std::uint64_t>(bytes / 128, 1));
    for (const std::int64_t loads : {0, 1, 7, 4096, 100'000}) {
      const auto walked = chain.walk(loads);  // an error where it ends elsewhere
      EXPECT_TRUE(walked) << walked.error().message;
    }
  }
}

TEST(DeviceChain, AWalkThatEndsElsewhereIsAnError) {
  Trouble trouble;
  trouble.wrong_walk = 1;
  HostDevice device(trouble);
  const auto chase = chase_on(device);
  auto chain = chain_on(device, *chase, 64 * kKiB).value();
  EXPECT_TRUE(chain.walk(100));
  const auto walked = chain.walk(100);
  ASSERT_FALSE(walked);
  EXPECT_THAT(walked.error().message, HasSubstr("host:0: 100 loads through 64 KiB ended at byte"));
  EXPECT_THAT(walked.error().message, HasSubstr("the device or its memory is faulty"));
}

TEST(DeviceChain, MemoryThatIsFullIsAnError) {
  Trouble trouble;
  trouble.allocations = 1;
  HostDevice device(trouble);
  const auto chase = chase_on(device);
  EXPECT_FALSE(chain_on(device, *chase, kMiB));
}

}  // namespace
}  // namespace streamgage::engine
