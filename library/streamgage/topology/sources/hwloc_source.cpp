#include "streamgage/topology/sources/hwloc_source.hpp"

#include <utility>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/caches/hwloc_caches.hpp"
#include "streamgage/topology/cores/hwloc_core_kinds.hpp"
#include "streamgage/topology/cores/hwloc_threads.hpp"
#include "streamgage/topology/hwloc/hwloc_topology.hpp"
#include "streamgage/topology/nodes/hwloc_nodes.hpp"

namespace streamgage {
namespace {

std::optional<std::string> processor_name(const HwlocTopology& topology) {
  for (const auto type : {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_MACHINE}) {
    for (hwloc_obj* object : topology.objects(type)) {
      if (auto name = info_of(object, "CPUModel")) {
        return name;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<Topology> find_by_hwloc(const FileRoots& roots) {
  STREAMGAGE_TRY(const auto loaded, HwlocTopology::load());
  Topology topology;
  topology.is_this_system = loaded.is_this_system();
  topology.processor = processor_name(loaded);
  topology.packages = count_packages(loaded);
  topology.caches = find_caches(loaded);
  topology.numa_nodes = find_numa_nodes(loaded, roots);
  topology.node_distances = find_node_distances(loaded);
  topology.core_kinds = find_core_kinds(loaded);
  topology.online_cpus = loaded.online_cpus();
  topology.offline_cpus = loaded.offline_cpus();
  topology.allowed_cpus = cpus_in(hwloc_topology_get_allowed_cpuset(loaded.get()));
  topology.allowed_nodes = cpus_in(hwloc_topology_get_allowed_nodeset(loaded.get()));
  topology.threads = find_hardware_threads(loaded);
  set_nearest_nodes(topology.threads, nearest_memory(loaded, topology.numa_nodes));
  return topology;
}

}  // namespace streamgage
