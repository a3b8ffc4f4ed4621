// A device: a processor that runs kernels from its own queue, on memory that it gives, such as a
// GPU. One interface for every driver; opencl.hpp has the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// What the driver says of a device; 0 or empty: it does not say it.
struct DeviceFacts {
  std::string id;  // as it is named on the command line: "opencl:0"
  std::string name;
  std::string vendor;
  std::string driver;  // the platform and its version, and that of the driver
  std::string kind;    // "gpu", "cpu", "accelerator" or "other"
  std::uint64_t compute_units = 0;
  std::uint64_t clock_hertz = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t largest_array_bytes = 0;
  std::uint64_t cache_bytes = 0;  // of the last level before its memory
  std::uint64_t most_group_items = 0;
  bool has_double = false;
  bool shares_host_memory = false;
  double tick_seconds = 0.0;  // of the clock that stamps events
};

class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  DeviceMemory(DeviceMemory&&) = delete;
  DeviceMemory& operator=(DeviceMemory&&) = delete;
  virtual ~DeviceMemory() = default;
};

class DeviceKernel {
 public:
  DeviceKernel() = default;
  DeviceKernel(const DeviceKernel&) = delete;
  DeviceKernel& operator=(const DeviceKernel&) = delete;
  DeviceKernel(DeviceKernel&&) = delete;
  DeviceKernel& operator=(DeviceKernel&&) = delete;
  virtual ~DeviceKernel() = default;
  // Work-items that a group of this kernel may have.
  [[nodiscard]] virtual std::uint64_t most_group_items() const = 0;
};

// Memory that the items of a group share while they run.
struct SharedBytes {
  std::size_t bytes = 0;
};

// No memory: the kernel does not use it.
using Argument =
    std::variant<const DeviceMemory*, double, float, std::uint64_t, std::uint32_t, SharedBytes>;

struct Grid {
  std::uint64_t groups = 1;
  std::uint64_t group_items = 1;
};

// How long launches took, one after the other.
struct LaunchTimes {
  // Sum over the launches, by the device's own stamps of start and end; nothing where it has none.
  std::optional<double> event_seconds;
  double host_seconds = 0.0;  // by the host's clock, from before the first to after the last
};

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  Device(Device&&) = delete;
  Device& operator=(Device&&) = delete;
  virtual ~Device() = default;

  [[nodiscard]] virtual const DeviceFacts& facts() const = 0;
  virtual Result<std::unique_ptr<DeviceMemory>> allocate(std::uint64_t bytes) = 0;
  // Both wait until the bytes are there.
  virtual Result<void> read(const DeviceMemory& memory, std::uint64_t offset,
                            std::span<std::byte> to) = 0;
  virtual Result<void> write(DeviceMemory& memory, std::uint64_t offset,
                             std::span<const std::byte> from) = 0;
  // The function `name` of a program in OpenCL C.
  virtual Result<std::unique_ptr<DeviceKernel>> compile(const std::string& source,
                                                        const char* name) = 0;
  // Launches it so many times, and waits for the last.
  virtual Result<LaunchTimes> launch(DeviceKernel& kernel, std::span<const Argument> arguments,
                                     const Grid& grid, std::int64_t times) = 0;
};

// Opens the device of that name, such as "opencl:0". An error says what there is instead: no
// driver, no device, no permission, or devices of other numbers.
Result<std::unique_ptr<Device>> open_device(const std::string& id);

}  // namespace streamgage::engine
