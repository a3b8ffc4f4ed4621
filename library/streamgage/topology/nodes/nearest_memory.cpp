#include "streamgage/topology/nodes/nearest_memory.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace streamgage {

std::map<int, int> nearest_memory(const std::vector<NumaNode>& nodes,
                                  const NodeDistances& distances, const AdjacentCpus& adjacent) {
  const auto has_memory = [](const NumaNode& node) { return node.bytes.value_or(1) > 0; };
  const auto is_adjacent = [&](const NumaNode& node, int cpu) {
    const auto cpus = adjacent.find(node.os_index);
    return cpus != adjacent.end() && cpus->second.contains(cpu);
  };
  std::map<int, int> nearest;
  for (const NumaNode& home : nodes) {
    for (const int cpu : home.cpus) {
      const auto rank = [&](const NumaNode& node) {
        const auto distance = distances.find({home.os_index, node.os_index});
        return std::tuple(!has_memory(node), node.os_index != home.os_index,
                          distance == distances.end() ? std::numeric_limits<std::uint64_t>::max()
                                                      : distance->second,
                          !is_adjacent(node, cpu), node.os_index);
      };
      const auto best =
          std::min_element(nodes.begin(), nodes.end(),
                           [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
      nearest[cpu] = best->os_index;
    }
  }
  return nearest;
}

void set_nearest_nodes(std::vector<HardwareThread>& threads, const std::map<int, int>& nearest) {
  for (HardwareThread& thread : threads) {
    const auto node = nearest.find(thread.cpu);
    thread.node = node == nearest.end() ? std::nullopt : std::optional(node->second);
  }
}

}  // namespace streamgage
