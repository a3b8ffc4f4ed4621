// What the kernel's driver of AMD's GPUs (KFD) says of one: HIP does not say how large the last
// level of its caches is, nor how its architecture is called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace streamgage::engine {

struct KfdNode {
  std::string architecture;       // such as "gfx942"
  std::uint64_t cache_bytes = 0;  // of the largest cache; 0: it lists none
};

// By the address of the PCI device, such as "0000:c1:00.0"; nothing where there is no such GPU.
std::optional<KfdNode> find_kfd_node(
    const std::string& pci_address,
    const std::string& folder = "/sys/class/kfd/kfd/topology/nodes");

}  // namespace streamgage::engine
