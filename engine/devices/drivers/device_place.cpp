#include "devices/drivers/device_place.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace streamgage::engine {
namespace {

constexpr const char* kPciDevices = "/sys/bus/pci/devices";

// The first word of one of its files; empty where it is not there.
std::string word_in(const std::string& root, const std::string& pci_address, const char* name) {
  std::ifstream file(fmt::format("{}{}/{}/{}", root, kPciDevices, pci_address, name));
  std::string word;
  file >> word;
  return word;
}

}  // namespace

std::string pci_address(unsigned domain, unsigned bus, unsigned device, unsigned function) {
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", domain, bus, device, function);
}

std::optional<int> numa_node_of(const std::string& pci_address, const std::string& root) {
  std::ifstream file(fmt::format("{}{}/{}/numa_node", root, kPciDevices, pci_address));
  int node = -1;
  // The kernel writes -1 where the firmware does not say it.
  return file >> node && node >= 0 ? std::optional(node) : std::nullopt;
}

std::string address_of_gpu(const std::string& pci_address, const std::string& root) {
  const std::string first = pci_address.substr(0, pci_address.find('.')) + ".0";
  const auto is_there = [&root](const std::string& address) {
    std::error_code ignored;
    return std::filesystem::exists(fmt::format("{}{}/{}", root, kPciDevices, address), ignored);
  };
  return !is_there(pci_address) && is_there(first) ? first : pci_address;
}

std::string partition_of(const std::string& address_of_gpu, const std::string& root) {
  const std::string cores = word_in(root, address_of_gpu, "current_compute_partition");
  if (cores.empty() || cores == "SPX") {
    return {};
  }
  const std::string memory = word_in(root, address_of_gpu, "current_memory_partition");
  return memory.empty() ? cores : fmt::format("{}/{}", cores, memory);
}

}  // namespace streamgage::engine
