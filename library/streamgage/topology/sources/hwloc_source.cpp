#include "streamgage/topology/sources/hwloc_source.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/caches/caches.hpp"
#include "streamgage/topology/caches/hwloc_caches.hpp"
#include "streamgage/topology/caches/reported_caches.hpp"
#include "streamgage/topology/caches/sysfs_caches.hpp"
#include "streamgage/topology/cores/hwloc_core_kinds.hpp"
#include "streamgage/topology/cores/hwloc_threads.hpp"
#include "streamgage/topology/cores/sysfs_core_kinds.hpp"
#include "streamgage/topology/hwloc/hwloc_topology.hpp"
#include "streamgage/topology/nodes/hwloc_nodes.hpp"
#include "streamgage/topology/nodes/memory_kinds.hpp"
#include "streamgage/topology/nodes/sysfs_nodes.hpp"
#include "streamgage/topology/sources/request.hpp"

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

// The system that a saved topology is of, as hwloc noted it there.
void describe_system(const HwlocTopology& loaded, Topology& topology) {
  hwloc_obj* machine = hwloc_get_root_obj(loaded.get());
  topology.host = info_of(machine, "HostName");
  topology.architecture = info_of(machine, "Architecture");
  const auto maker = info_of(machine, "DMISysVendor");
  const auto model = info_of(machine, "DMIProductName");
  topology.system = maker && model ? fmt::format("{} {}", *maker, *model) : maker ? maker : model;
  const auto name = info_of(machine, "OSName");
  const auto release = info_of(machine, "OSRelease");
  if (name && release) {
    topology.kernel = fmt::format("{} {}", *name, *release);
  }
}

}  // namespace

Result<Topology> find_by_hwloc(const FileRoots& roots) {
  STREAMGAGE_TRY(const auto loaded, HwlocTopology::load());
  const auto request = loaded.is_this_system() ? std::nullopt : find_request();
  const auto files = loaded.is_this_system() ? std::optional(roots)
                     : request               ? stored_files(*request)
                                             : std::nullopt;
  Topology topology;
  topology.is_this_system = loaded.is_this_system();
  topology.processor = processor_name(loaded);
  if (request && request->variable == kStoredXml) {  // else hwloc names the viewer's system
    describe_system(loaded, topology);
  }
  topology.packages = count_packages(loaded);
  topology.caches = find_caches(loaded);
  topology.memory_side_caches = find_memory_side_caches(loaded);
  topology.numa_nodes = find_numa_nodes(loaded, files);
  if (files && topology.memory_side_caches.empty()) {  // hwloc wants all of their files
    topology.memory_side_caches =
        read_memory_side_caches(*files, node_numbers(topology.numa_nodes));
  }
  if (files) {
    name_memory_kinds(topology.numa_nodes, *files);
  }
  topology.node_distances = find_node_distances(loaded);
  topology.online_cpus = loaded.online_cpus();
  if (files) {
    topology.core_kinds = read_core_kinds(*files, topology.online_cpus);
  }
  if (topology.core_kinds.empty()) {
    topology.core_kinds = find_core_kinds(loaded);
  }
  topology.offline_cpus = loaded.offline_cpus();
  topology.allowed_cpus = cpus_in(hwloc_topology_get_allowed_cpuset(loaded.get()));
  topology.allowed_nodes = cpus_in(hwloc_topology_get_allowed_nodeset(loaded.get()));
  topology.threads = find_hardware_threads(loaded);
  set_nearest_nodes(topology.threads, nearest_memory(loaded, topology.numa_nodes));
  if (files) {
    add_shared_caches(topology.caches, topology.threads, *files);
    topology.caches = group_caches(topology.caches);
  }
  const auto is_absent = [&](hwloc_obj_type_t type) {
    return hwloc_get_nbobjs_by_type(loaded.get(), type) < 1;
  };
  explain_absence(topology,
                  {.cores = is_absent(HWLOC_OBJ_CORE), .packages = is_absent(HWLOC_OBJ_PACKAGE)},
                  files, request ? request->text() : "");
  return topology;
}

}  // namespace streamgage
