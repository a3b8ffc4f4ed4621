// How a GPU runs, by the sensors that the kernel shows of its PCI device (hwmon), as those of
// AMD's.
#pragma once

#include <optional>
#include <string>

#include "devices/device.hpp"

namespace streamgage::engine {

// By the address of the device, such as "0000:c1:00.0"; nothing where it has no sensors. What keeps
// the clocks low is not among them.
std::optional<DeviceState> read_hwmon_state(const std::string& pci_address,
                                            const std::string& folder = "/sys/bus/pci/devices");

}  // namespace streamgage::engine
