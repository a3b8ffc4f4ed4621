#include "topology/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "topology/allowed_cpus.hpp"
#include "topology/caches.hpp"
#include "topology/cgroup/cgroup.hpp"
#include "topology/hardware_threads.hpp"
#include "topology/host/host.hpp"
#include "topology/host/hypervisor.hpp"
#include "topology/hwloc_topology.hpp"
#include "topology/numa_nodes.hpp"
#include "topology/processor.hpp"
#include "topology/smbios/smbios.hpp"

namespace streamgage {
namespace {

void describe_processors(Machine& machine, const HwlocTopology& topology, const FileRoots& roots) {
  machine.processor = find_processor_name(topology, roots);
  machine.caches = find_caches(topology);
  machine.numa_nodes = find_numa_nodes(topology, roots);
  machine.core_kinds = find_core_kinds(topology);
  machine.online_cpus = topology.online_cpus();
}

// Counts are of the whole machine; the list is of what this process may use.
void describe_threads(Machine& machine, const HwlocTopology& topology) {
  const auto threads = find_hardware_threads(topology);
  machine.packages = count_packages(topology);
  machine.cores = count_cores(threads);
  machine.hardware_threads = static_cast<int>(threads.size());
  machine.threads_per_core = most_threads_per_core(threads);
  const auto nearest = nearest_memory(topology, machine.numa_nodes);
  const CpuList& allowed = machine.allowed_cpus;
  for (HardwareThread thread : threads) {
    if (std::binary_search(allowed.begin(), allowed.end(), thread.cpu)) {
      const auto node = nearest.find(thread.cpu);
      thread.node = node == nearest.end() ? 0 : node->second;
      machine.allowed.push_back(thread);
    }
  }
}

void describe_limits(Machine& machine, const FileRoots& roots) {
  machine.cpu_quota = cpu_quota(roots);
  if (const auto limit = memory_limit(roots)) {
    machine.memory_limit_bytes = limit->bytes;
    machine.memory_limit_free_bytes = limit->free_bytes;
  }
}

void describe_modules(Machine& machine, const FileRoots& roots) {
  auto modules = read_memory_modules(roots);
  if (modules) {
    machine.memory_modules = std::move(*modules);
  } else {
    machine.memory_modules_reason = std::move(modules.error().message);
  }
}

void describe_settings(Machine& machine, const FileRoots& roots) {
  machine.system = find_system(roots);
  machine.page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  HugePages huge_pages = find_huge_pages(roots);
  machine.huge_pages = std::move(huge_pages.state);
  machine.huge_page_bytes = huge_pages.bytes;
  machine.numa_balancing = find_numa_balancing(roots);
  machine.hypervisor = find_hypervisor(roots);
}

}  // namespace

Result<Machine> discover_machine(const FileRoots& roots) {
  const auto topology = HwlocTopology::load();
  if (!topology) {
    return tl::unexpected(topology.error());
  }
  auto allowed = find_allowed_cpus(*topology);
  if (!allowed) {
    return tl::unexpected(allowed.error());
  }
  auto names = find_host_names();
  if (!names) {
    return tl::unexpected(names.error());
  }
  const auto memory = find_host_memory(roots);
  if (!memory) {
    return tl::unexpected(memory.error());
  }
  Machine machine;
  machine.is_this_system = topology->is_this_system();
  machine.host = std::move(names->host);
  machine.architecture = std::move(names->architecture);
  machine.kernel = std::move(names->kernel);
  machine.memory_bytes = memory->bytes;
  machine.memory_available_bytes = memory->available_bytes;
  machine.allowed_cpus = std::move(*allowed);
  describe_processors(machine, *topology, roots);
  describe_threads(machine, *topology);
  describe_limits(machine, roots);
  describe_modules(machine, roots);
  describe_settings(machine, roots);
  return machine;
}

}  // namespace streamgage
