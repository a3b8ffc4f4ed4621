#include "streamgage/topology/sources/sysfs_source.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/caches/caches.hpp"
#include "streamgage/topology/caches/sysfs_caches.hpp"
#include "streamgage/topology/cores/sysfs_core_kinds.hpp"
#include "streamgage/topology/cores/sysfs_threads.hpp"
#include "streamgage/topology/nodes/memory_kinds.hpp"
#include "streamgage/topology/nodes/sysfs_nodes.hpp"
#include "streamgage/topology/sources/request.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

// Figures for the wrong machine are worse than none.
Result<void> check_request() {
  if (const auto request = find_request()) {
    return usage_error(
        fmt::format("this engine was built without hwloc and cannot use {}; unset the variable, or "
                    "use an engine with hwloc",
                    request->text()));
  }
  return {};
}

// Sets of CPUs that compact order keeps together.
std::vector<CpuList> groups_of(const std::vector<Cache>& caches,
                               const std::vector<NumaNode>& nodes) {
  std::vector<CpuList> groups;
  for (const Cache& cache : caches) {
    groups.insert(groups.end(), cache.shared_by.begin(), cache.shared_by.end());
  }
  for (const NumaNode& node : nodes) {
    if (!node.cpus.empty()) {
      groups.push_back(node.cpus);
    }
  }
  return groups;
}

// As their CPUs are, which is the logical order of instances.
void sort_in_compact_order(std::vector<Cache>& instances,
                           const std::vector<HardwareThread>& threads) {
  std::map<int, std::size_t> position;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    position[threads[i].cpu] = i;
  }
  std::stable_sort(instances.begin(), instances.end(), [&](const Cache& a, const Cache& b) {
    return position[a.shared_by.front().front()] < position[b.shared_by.front().front()];
  });
}

}  // namespace

Result<Topology> find_by_sysfs(const FileRoots& roots, const CacheOracle& oracle) {
  STREAMGAGE_TRY(check_request());
  Topology topology;
  topology.online_cpus = find_online_cpus(roots);
  topology.offline_cpus = find_offline_cpus(roots, topology.online_cpus);
  topology.allowed_cpus = topology.online_cpus;
  topology.core_kinds = read_core_kinds(roots, topology.online_cpus);
  auto nodes = read_numa_nodes(roots, topology.online_cpus);
  auto caches = read_caches(roots, topology.online_cpus);
  topology.memory_side_caches = read_memory_side_caches(roots, node_numbers(nodes.nodes));
  auto cpus = read_hardware_threads(roots, topology.online_cpus, groups_of(caches, nodes.nodes));
  topology.packages = cpus.packages;
  topology.threads = std::move(cpus.threads);
  set_nearest_nodes(topology.threads, nearest_memory(nodes.nodes, nodes.distances, {}));
  topology.numa_nodes = std::move(nodes.nodes);
  topology.node_distances = std::move(nodes.distances);
  name_memory_kinds(topology.numa_nodes, roots);
  topology.allowed_nodes = node_numbers(topology.numa_nodes);
  sort_in_compact_order(caches, topology.threads);
  if (caches.empty()) {
    caches = reported_caches(topology.threads, oracle);
  }
  add_shared_caches(caches, topology.threads, roots);
  topology.caches = group_caches(caches);
  explain_absence(topology, {.cores = !cpus.cores_known, .packages = !cpus.packages_known}, roots,
                  "");
  return topology;
}

}  // namespace streamgage
