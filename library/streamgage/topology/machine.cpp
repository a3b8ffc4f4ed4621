#include "streamgage/topology/machine.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/allowed_cpus.hpp"
#include "streamgage/topology/cgroup/cgroup.hpp"
#include "streamgage/topology/cgroup/cpuset.hpp"
#include "streamgage/topology/cores/processor.hpp"
#include "streamgage/topology/host/frequency.hpp"
#include "streamgage/topology/host/host.hpp"
#include "streamgage/topology/host/hypervisor.hpp"
#include "streamgage/topology/nodes/allowed_nodes.hpp"
#include "streamgage/topology/nodes/sysfs_nodes.hpp"
#include "streamgage/topology/smbios/smbios.hpp"
#include "streamgage/topology/sources/request.hpp"
#include "streamgage/topology/sources/topology.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

// Counts are of the whole machine; the list is of what this process may use.
void describe_hardware(Machine& machine, Topology&& topology, const FileRoots& roots) {
  machine.is_this_system = topology.is_this_system;
  machine.processor = std::move(topology.processor);
  if (topology.is_this_system) {
    machine.processor_id = find_processor_id(roots);
    if (auto name = find_processor_name(roots)) {
      machine.processor = std::move(name);
    }
  }
  machine.packages = topology.packages;
  machine.dies = count_dies(topology.threads);
  machine.cores = count_cores(topology.threads);
  machine.hardware_threads = static_cast<int>(topology.threads.size());
  machine.threads_per_core = most_threads_per_core(topology.threads);
  machine.caches = std::move(topology.caches);
  machine.numa_nodes = std::move(topology.numa_nodes);
  machine.node_distances = std::move(topology.node_distances);
  machine.core_kinds = std::move(topology.core_kinds);
  machine.online_cpus = std::move(topology.online_cpus);
  machine.offline_cpus = std::move(topology.offline_cpus);
  machine.allowed_nodes = std::move(topology.allowed_nodes);
  const CpuList& allowed = machine.allowed_cpus;
  std::copy_if(topology.threads.begin(), topology.threads.end(),
               std::back_inserter(machine.allowed), [&](const HardwareThread& thread) {
                 return std::binary_search(allowed.begin(), allowed.end(), thread.cpu);
               });
  machine.threads = std::move(topology.threads);
}

// What of the hardware is in use or barred, which only a running system has.
void describe_use(Machine& machine, const FileRoots& roots) {
  if (!machine.is_this_system) {
    machine.described_by = find_request();
    return;
  }
  read_free_memory(machine.numa_nodes, roots);
  machine.isolated_cpus = find_isolated_cpus(roots);
  if (const auto nodes = find_allowed_nodes(roots)) {
    std::erase_if(machine.allowed_nodes, [&](int node) {
      return std::find(nodes->begin(), nodes->end(), node) == nodes->end();
    });
  }
  if (auto set = find_cgroup_cpus(roots)) {
    machine.cpu_sets.push_back(std::move(*set));
  }
  machine.cpu_sets.push_back({"affinity", machine.allowed_cpus, std::nullopt});
}

void describe_limits(Machine& machine, const FileRoots& roots) {
  machine.cpu_quota = cpu_quota(roots);
  machine.nice = getpriority(PRIO_PROCESS, 0);  // of this thread, from which others inherit it
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
  machine.frequency = find_frequency(roots);
  machine.hypervisor = find_hypervisor(roots);
}

}  // namespace

Result<Machine> discover_machine(const FileRoots& roots) {
  STREAMGAGE_TRY(auto topology, find_topology(roots));
  STREAMGAGE_TRY(auto allowed, find_allowed_cpus(topology));
  STREAMGAGE_TRY(auto names, find_host_names());
  STREAMGAGE_TRY(const auto memory, find_host_memory(roots));
  Machine machine;
  machine.host = std::move(names.host);
  machine.architecture = std::move(names.architecture);
  machine.kernel = std::move(names.kernel);
  machine.memory_bytes = memory.bytes;
  machine.memory_available_bytes = memory.available_bytes;
  machine.allowed_cpus = std::move(allowed);
  describe_hardware(machine, std::move(topology), roots);
  describe_use(machine, roots);
  describe_limits(machine, roots);
  describe_modules(machine, roots);
  describe_settings(machine, roots);
  return machine;
}

}  // namespace streamgage
