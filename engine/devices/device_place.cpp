#include "devices/device_place.hpp"

#include <fstream>

#include <fmt/format.h>

namespace streamgage::engine {

std::string pci_address(unsigned domain, unsigned bus, unsigned device, unsigned function) {
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", domain, bus, device, function);
}

std::optional<int> numa_node_of(const std::string& pci_address, const std::string& root) {
  std::ifstream file(fmt::format("{}/sys/bus/pci/devices/{}/numa_node", root, pci_address));
  int node = -1;
  // The kernel writes -1 where the firmware does not say it.
  return file >> node && node >= 0 ? std::optional(node) : std::nullopt;
}

}  // namespace streamgage::engine
