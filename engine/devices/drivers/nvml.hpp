// NVML, which says how an NVIDIA GPU runs: its clocks, its power and what keeps it slow. It comes
// with the driver; in some containers it is not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "devices/device.hpp"

namespace streamgage::engine::nvml {

struct GpuTag;

// A GPU by the address of its PCI device, such as "00000000:17:00.0".
class Gpu {
 public:
  // Nothing where NVML is not there, or does not know that GPU.
  static std::optional<Gpu> find(const std::string& pci_address);

  [[nodiscard]] DeviceState state() const;
  // The highest clock of its memory, and the width of the bus; 0: not known.
  [[nodiscard]] std::uint64_t memory_clock_hertz() const;
  [[nodiscard]] std::uint64_t memory_bus_bits() const;
  // Such as "550.54.15"; empty if it is not known.
  [[nodiscard]] static std::string driver_version();

 private:
  explicit Gpu(GpuTag* handle) : handle_(handle) {}
  GpuTag* handle_;
};

}  // namespace streamgage::engine::nvml
