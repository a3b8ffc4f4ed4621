// Where a device is plugged in: its NUMA node, by its address on the PCI bus.
#pragma once

#include <optional>
#include <string>

namespace streamgage::engine {

// "0000:3b:00.0", as the system writes the address of a function.
std::string pci_address(unsigned domain, unsigned bus, unsigned device, unsigned function);

// The OS number of the nearest NUMA node; nothing where the system does not say it. `root`: that of
// the files under /sys.
std::optional<int> numa_node_of(const std::string& pci_address, const std::string& root = "");

}  // namespace streamgage::engine
