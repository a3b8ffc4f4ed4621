#include "streamgage/topology/nodes/sysfs_nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

CpuList online_nodes(const FileRoots& roots) {
  const std::string folder = roots.sys + "/devices/system/node";
  const auto online = read_number_set(folder + "/online");
  return online && !online->empty() ? *online : numbered_entries(folder, "node");
}

// In bytes, the figure of that name in the node's file.
std::optional<std::uint64_t> node_bytes(const FileRoots& roots, int node, std::string_view name) {
  const auto text = pseudo_file_text(node_folder(roots, node) + "/meminfo");
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    std::string_view line = take_line(rest);  // "Node 0 MemTotal:  8480980 kB"
    take_word(line);
    take_word(line);
    if (take_word(line) == name) {
      const auto kibibytes = parse_unsigned(take_word(line));
      return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> all_memory(const FileRoots& roots) {
  const auto meminfo = read_pseudo_file(roots.proc + "/meminfo");
  const auto kibibytes = meminfo ? keyed_number(*meminfo, "MemTotal:") : std::nullopt;
  return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
}

// A row of the matrix: one distance to every node, in the order of the nodes.
void add_distances(NodeDistances& distances, const FileRoots& roots, int from,
                   const CpuList& numbers) {
  const auto text = pseudo_file_text(node_folder(roots, from) + "/distance");
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  for (const int to : numbers) {
    if (const auto distance = parse_unsigned(take_word(rest))) {
      distances[{from, to}] = *distance;
    }
  }
}

// Where every size reads 0, memory was not described at all (a restricted container).
void forget_sizes_if_all_are_0(std::vector<NumaNode>& nodes) {
  if (std::none_of(nodes.begin(), nodes.end(),
                   [](const NumaNode& node) { return node.bytes.value_or(0) > 0; })) {
    for (NumaNode& node : nodes) {
      node.bytes = std::nullopt;
    }
  }
}

void add_cpus(std::vector<NumaNode>& nodes, const FileRoots& roots, const CpuList& online) {
  std::map<int, std::size_t> homes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto cpus_of_node = read_number_set(node_folder(roots, nodes[i].os_index) + "/cpulist");
    for (const int cpu : cpus_of_node.value_or(CpuList{})) {
      homes.emplace(cpu, i);
    }
  }
  for (const int cpu : online) {
    if (const auto home = homes.find(cpu); home != homes.end() || nodes.size() == 1) {
      nodes[home == homes.end() ? 0 : home->second].cpus.push_back(cpu);
    }
  }
}

}  // namespace

void read_free_memory(std::vector<NumaNode>& nodes, const FileRoots& roots) {
  for (NumaNode& node : nodes) {
    node.free_bytes = node_bytes(roots, node.os_index, "MemFree:");
    node.available_bytes = node.free_bytes;
    for (const char* file_cache : {"Active(file):", "Inactive(file):"}) {
      if (const auto bytes = node_bytes(roots, node.os_index, file_cache);
          bytes && node.available_bytes) {
        *node.available_bytes += *bytes;
      }
    }
  }
}

CpuList node_numbers(const std::vector<NumaNode>& nodes) {
  CpuList numbers;
  std::transform(nodes.begin(), nodes.end(), std::back_inserter(numbers),
                 [](const NumaNode& node) { return node.os_index; });
  return numbers;
}

SysfsNodes read_numa_nodes(const FileRoots& roots, const CpuList& online) {
  const CpuList numbers = online_nodes(roots);
  if (numbers.empty()) {
    return {{{0, online, all_memory(roots)}}, {}};
  }
  SysfsNodes found;
  for (const int number : numbers) {
    found.nodes.push_back({number, {}, node_bytes(roots, number, "MemTotal:")});
    add_distances(found.distances, roots, number, numbers);
  }
  forget_sizes_if_all_are_0(found.nodes);
  add_cpus(found.nodes, roots, online);
  if (found.nodes.size() < 2) {  // a node is not far from itself
    found.distances.clear();
  }
  return found;
}

}  // namespace streamgage
