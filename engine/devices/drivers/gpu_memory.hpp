// A GPU as a process uses it, and memory of it.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "devices/device.hpp"
#include "devices/drivers/gpu_functions.hpp"

namespace streamgage::engine::gpu {

// A device as a process uses it. HIP has no context.
struct Use {
  DeviceNumber device = 0;
  Context context = nullptr;
};

// Makes it the device of this thread.
Code make_current(const Functions& api, const Use& use);

// Makes it a device of this process, and that of this thread.
Code take(const Functions& api, Use& use);

void give_back(const Functions& api, const Use& use);

// What copies from and to a device's memory need.
struct Home {
  Use use;
  std::array<Stream, 2> streams{};  // for copies at the same time
};

class GpuMemory final : public DeviceMemory {
 public:
  // Without `api` it is a part of other memory, which is not given back.
  GpuMemory(const Functions* api, const Home& home, Address address)
      : api_(api), home_(home), address_(address) {}
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;
  GpuMemory(GpuMemory&&) = delete;
  GpuMemory& operator=(GpuMemory&&) = delete;
  ~GpuMemory() override {
    if (api_ != nullptr) {
      (void)make_current(*api_, home_.use);
      (void)api_->MemFree(address_);
    }
  }
  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] const Home& home() const { return home_; }

 private:
  const Functions* api_;
  const Home& home_;
  Address address_;
};

class GpuPinned final : public PinnedMemory {
 public:
  GpuPinned(const Functions& api, std::span<std::byte> bytes) : api_(api), bytes_(bytes) {}
  GpuPinned(const GpuPinned&) = delete;
  GpuPinned& operator=(const GpuPinned&) = delete;
  GpuPinned(GpuPinned&&) = delete;
  GpuPinned& operator=(GpuPinned&&) = delete;
  ~GpuPinned() override { (void)api_.MemFreeHost(bytes_.data()); }
  [[nodiscard]] std::span<std::byte> bytes() const override { return bytes_; }

 private:
  const Functions& api_;
  std::span<std::byte> bytes_;
};

}  // namespace streamgage::engine::gpu
