// A device: a processor that runs kernels from its own queue, on memory that it gives, such as a
// GPU. One interface for every driver: drivers/opencl_device.hpp and drivers/gpu_device.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/plan.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// What the driver says of a device; 0 or empty: it does not say it.
struct DeviceFacts {
  std::string id;         // as it is named on the command line: "opencl:0"
  std::string interface;  // "OpenCL", "CUDA" or "HIP"
  std::string name;
  std::string vendor;
  std::string driver;  // the platform and its version, and that of the driver
  std::string code;    // what compiles the kernels of the catalogue
  DeviceLanguage language = DeviceLanguage::kOpenclC;  // of users' kernels
  std::string kind;                                    // "gpu", "cpu", "accelerator" or "other"
  std::string architecture;                            // such as "sm_90" or "gfx942"
  std::string slice;  // of a GPU that is divided: such as "MIG 1g.10gb"
  std::uint64_t compute_units = 0;
  std::uint64_t clock_hertz = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t largest_array_bytes = 0;
  std::uint64_t cache_bytes = 0;  // of the last level before its memory
  std::uint64_t line_bytes = 0;   // of that cache
  std::uint64_t most_group_items = 0;
  std::uint64_t most_items = 0;  // of a launch; 0: more than memory has elements for
  int widest_vector_bytes = 64;
  std::uint64_t ring_bytes = 0;  // of a group's memory, for bulk copies; 0: it has none of them
  std::uint64_t memory_clock_hertz = 0;  // the highest; two transfers a clock
  std::uint64_t memory_bus_bits = 0;
  std::optional<bool> has_ecc = std::nullopt;  // whether error correction is on
  bool has_double = false;
  bool shares_host_memory = false;
  double tick_seconds = 0.0;  // of the clock that stamps events
  std::string pci_address;    // "0000:3b:00.0"
  std::string uuid;           // "GPU-..." or of a slice "MIG-...", as the vendor's tools show it
  std::optional<int> numa_node{};  // the nearest one
};

// The cache that arrays and working sets are sized for: a large one where the driver does not say
// how large it is.
std::uint64_t rule_cache_bytes(const DeviceFacts& facts);

// What each array has on a GPU whose memory has room for it: there, arrays of some times the cache
// may take no longer than some launches. 0: the device is none.
std::uint64_t usual_array_bytes(const DeviceFacts& facts);

// OpenCL's devices let parts of memory begin at multiples of at most that.
inline constexpr std::uint64_t kPartBytes = 4096;

class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  DeviceMemory(DeviceMemory&&) = delete;
  DeviceMemory& operator=(DeviceMemory&&) = delete;
  virtual ~DeviceMemory() = default;
};

// Memory of the host that the device reaches by itself, at its own pace ("pinned"): it stays in
// place.
class PinnedMemory {
 public:
  PinnedMemory() = default;
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  PinnedMemory(PinnedMemory&&) = delete;
  PinnedMemory& operator=(PinnedMemory&&) = delete;
  virtual ~PinnedMemory() = default;
  [[nodiscard]] virtual std::span<std::byte> bytes() const = 0;
};

// The start of a device's memory, or of the host's.
using TransferEnd = std::variant<DeviceMemory*, std::byte*>;

// At least one end is a device's.
struct Transfer {
  TransferEnd from;
  TransferEnd to;
  std::uint64_t bytes = 0;
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

// A user's program in the language of the device, as it is.
struct OwnProgram {
  std::string file;  // its name in what the compiler says
  std::string text;
};

struct Grid {
  std::uint64_t groups = 1;
  std::uint64_t group_items = 1;
};

// How long launches took, one after the other.
struct LaunchTimes {
  // By the device's own stamps: the sum over the launches, or from the first one's start to the
  // last one's end. Nothing where it has none.
  std::optional<double> event_seconds;
  double host_seconds = 0.0;  // by the host's clock, from before the first to after the last
};

// How a device runs at a moment, where its driver says it.
struct DeviceState {
  std::optional<std::uint64_t> core_hertz;
  std::optional<std::uint64_t> memory_hertz;
  std::optional<double> watts;
  std::optional<double> limit_watts;
  std::optional<double> celsius;
  std::optional<int> other_processes;  // that have it open to compute
  std::vector<std::string> slowed_by;  // what keeps its clocks low, such as "power-cap"
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
  // So many bytes from `offset`, a whole number of kPartBytes, as memory by themselves. The whole
  // has to outlive them.
  virtual Result<std::unique_ptr<DeviceMemory>> part_of(DeviceMemory& whole, std::uint64_t offset,
                                                        std::uint64_t bytes) = 0;
  // Both wait until the bytes are there.
  virtual Result<void> read(const DeviceMemory& memory, std::uint64_t offset,
                            std::span<std::byte> to) = 0;
  virtual Result<void> write(DeviceMemory& memory, std::uint64_t offset,
                             std::span<const std::byte> from) = 0;
  // Drivers without copies that can be measured say so, here and there.
  virtual Result<std::unique_ptr<PinnedMemory>> allocate_pinned(std::uint64_t bytes);
  // Starts all of these at the same time, and each again when it has ended, so many times. Seconds
  // by the host's clock, from before the first start to after the last end.
  virtual Result<double> transfer(std::span<const Transfer> transfers, std::int64_t times);
  // Lets what is copied from this device go to the other one directly. False: the driver takes it
  // through the host's memory.
  virtual Result<bool> reach(Device& other);
  // What the links of a chain in that memory count from: its address, where a kernel takes numbers
  // as addresses; 0: the links are offsets.
  [[nodiscard]] virtual std::uint64_t base_of_links(const DeviceMemory& /*links*/) const {
    return 0;
  }
  // The function `name` of a program in OpenCL C, which has what code/opencl.h and code/cuda.h
  // define before it. Where this is the name of one of device_source.hpp's, it is that program.
  virtual Result<std::unique_ptr<DeviceKernel>> compile(const std::string& source,
                                                        const char* name) = 0;
  // The function `name` of a user's program. An error has what the compiler says.
  virtual Result<std::unique_ptr<DeviceKernel>> compile_own(const OwnProgram& program,
                                                            const char* name) = 0;
  // What compiles users' programs. An error says what is missing and what to install.
  virtual Result<std::string> own_compiler() { return facts().code; }
  // Launches it so many times, and waits for the last.
  virtual Result<LaunchTimes> launch(DeviceKernel& kernel, std::span<const Argument> arguments,
                                     const Grid& grid, std::int64_t times) = 0;
  // Right after a launch it is that under load.
  virtual std::optional<DeviceState> state() { return std::nullopt; }
};

}  // namespace streamgage::engine
