// A chain of loads through the memory of a device: each load says where the next one is.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "devices/device.hpp"
#include "latency/pointer_chain.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// In the order of a PointerChain, for the same reasons: the TLBs of devices reach farther.
class DeviceChain {
 public:
  // Makes a chain through that many bytes of new memory. `chase`: compiled of chase_program().
  static Result<DeviceChain> make(Device& device, DeviceKernel& chase, std::uint64_t bytes,
                                  const ChainOrder& order);

  // Follows that many links from where the last walk ended. It is an error if the walk ends
  // elsewhere than the chain says.
  Result<LaunchTimes> walk(std::int64_t loads);

  [[nodiscard]] std::uint64_t lines() const { return lines_.size(); }

 private:
  DeviceChain(Device& device, DeviceKernel& chase, std::uint64_t line_bytes)
      : device_(&device), chase_(&chase), line_bytes_(line_bytes) {}

  Device* device_;
  DeviceKernel* chase_;
  std::uint64_t line_bytes_;
  std::vector<std::uint32_t> lines_;  // in the order of the walk
  std::unique_ptr<DeviceMemory> links_;
  std::unique_ptr<DeviceMemory> end_;
  std::uint64_t base_ = 0;   // of its links
  std::uint64_t place_ = 0;  // in that order, where the last walk ended
};

}  // namespace streamgage::engine
