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

// The address of the GPU that has the partition at that one. AMD's driver numbers partitions by the
// function (KFD's location_id); the system has only the GPU's own.
std::string address_of_gpu(const std::string& pci_address, const std::string& root = "");

// How a GPU of AMD is divided: such as "CPX/NPS4"; empty where it is whole, or the system does not
// say it.
std::string partition_of(const std::string& address_of_gpu, const std::string& root = "");

}  // namespace streamgage::engine
