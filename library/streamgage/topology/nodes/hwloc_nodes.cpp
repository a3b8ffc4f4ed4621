#include "streamgage/topology/nodes/hwloc_nodes.hpp"

#include <hwloc/distances.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/nodes/memory_kinds.hpp"

namespace streamgage {
namespace {

int number_of(const hwloc_obj* node) {
  return static_cast<int>(node->os_index == HWLOC_UNKNOWN_INDEX ? node->logical_index
                                                                : node->os_index);
}

// What hwloc says for certain. Where it names HBM, it may have guessed.
std::optional<std::string> kind_of(const hwloc_obj* node) {
  const std::string_view subtype = node->subtype == nullptr ? "" : node->subtype;
  if (subtype == "MCDRAM") {
    return std::string(kMcdram);
  }
  return subtype == "GPUMemory" ? std::optional(std::string(kGpuMemory)) : std::nullopt;
}

// The kernel's own list of the node's CPUs; nothing where it does not report one.
std::optional<CpuList> kernel_cpus(const FileRoots& roots, int node) {
  const auto text =
      read_pseudo_file(fmt::format("{}/devices/system/node/node{}/cpulist", roots.sys, node));
  if (!text) {
    return std::nullopt;
  }
  const std::string_view list = trim_blanks(*text);
  if (list.empty()) {
    return CpuList{};
  }
  const auto cpus = parse_cpu_list(list);
  return cpus ? std::optional(*cpus) : std::nullopt;
}

// Without the kernel's word: of the nodes that hwloc puts next to a CPU, the closest (the one with
// the fewest CPUs), and the lowest number among equals; firmware numbers HBM and CXL memory last.
std::map<int, int> guess_homes(const std::vector<hwloc_obj_t>& nodes) {
  std::map<int, std::tuple<std::size_t, int>> best;
  for (const hwloc_obj* node : nodes) {
    const CpuList cpus = cpus_in(node->cpuset);
    for (const int cpu : cpus) {
      const std::tuple candidate(cpus.size(), number_of(node));
      const auto [entry, is_new] = best.emplace(cpu, candidate);
      if (!is_new) {
        entry->second = std::min(entry->second, candidate);
      }
    }
  }
  std::map<int, int> homes;
  for (const auto& [cpu, home] : best) {
    homes[cpu] = std::get<1>(home);
  }
  return homes;
}

std::map<int, int> find_homes(const HwlocTopology& topology,
                              const std::optional<FileRoots>& files) {
  const auto nodes = topology.objects(HWLOC_OBJ_NUMANODE);
  auto homes = guess_homes(nodes);
  if (!files) {
    return homes;
  }
  for (const hwloc_obj* node : nodes) {
    for (const int cpu : kernel_cpus(*files, number_of(node)).value_or(CpuList{})) {
      if (const auto home = homes.find(cpu); home != homes.end()) {
        home->second = number_of(node);
      }
    }
  }
  return homes;
}

}  // namespace

NodeDistances find_node_distances(const HwlocTopology& topology) {
  unsigned count = 1;
  hwloc_distances_s* raw = nullptr;
  NodeDistances distances;
  if (hwloc_distances_get_by_type(topology.get(), HWLOC_OBJ_NUMANODE, &count, &raw,
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
      count == 0 || raw == nullptr) {
    return distances;
  }
  const auto release = [&](hwloc_distances_s* matrix) {
    hwloc_distances_release(topology.get(), matrix);
  };
  const std::unique_ptr<hwloc_distances_s, decltype(release)> matrix(raw, release);
  for (unsigned from = 0; from < matrix->nbobjs; ++from) {
    for (unsigned to = 0; to < matrix->nbobjs; ++to) {
      distances[{number_of(matrix->objs[from]), number_of(matrix->objs[to])}] =
          matrix->values[from * matrix->nbobjs + to];
    }
  }
  return distances;
}

std::vector<NumaNode> find_numa_nodes(const HwlocTopology& topology,
                                      const std::optional<FileRoots>& files) {
  const auto objects = topology.objects(HWLOC_OBJ_NUMANODE);
  // Where every size reads 0, memory was not described at all (a restricted container).
  const bool sizes_known = std::any_of(objects.begin(), objects.end(), [](const hwloc_obj* node) {
    return node->attr->numanode.local_memory > 0;
  });
  std::map<int, NumaNode> nodes;
  for (const hwloc_obj* object : objects) {
    NumaNode& node = nodes[number_of(object)];
    node.os_index = number_of(object);
    node.kind = kind_of(object);
    if (sizes_known) {
      node.bytes = object->attr->numanode.local_memory;
    }
  }
  for (const auto& [cpu, home] : find_homes(topology, files)) {
    nodes[home].cpus.push_back(cpu);
  }
  std::vector<NumaNode> list;
  std::transform(nodes.begin(), nodes.end(), std::back_inserter(list),
                 [](auto& entry) { return std::move(entry.second); });
  return list;
}

std::map<int, int> nearest_memory(const HwlocTopology& topology,
                                  const std::vector<NumaNode>& nodes) {
  AdjacentCpus adjacent;
  for (const hwloc_obj* object : topology.objects(HWLOC_OBJ_NUMANODE)) {
    const CpuList cpus = cpus_in(object->cpuset);
    adjacent[number_of(object)].insert(cpus.begin(), cpus.end());
  }
  return nearest_memory(nodes, find_node_distances(topology), adjacent);
}

}  // namespace streamgage
