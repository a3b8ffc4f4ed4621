#include "streamgage/topology/machine.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/allowed_cpus.hpp"
#include "streamgage/topology/cgroup/cgroup.hpp"
#include "streamgage/topology/cgroup/cpuset.hpp"
#include "streamgage/topology/cores/processor.hpp"
#include "streamgage/topology/fact.hpp"
#include "streamgage/topology/host/frequency.hpp"
#include "streamgage/topology/host/host.hpp"
#include "streamgage/topology/host/hypervisor.hpp"
#include "streamgage/topology/host/kernel_files.hpp"
#include "streamgage/topology/nodes/allowed_nodes.hpp"
#include "streamgage/topology/nodes/sysfs_nodes.hpp"
#include "streamgage/topology/smbios/smbios.hpp"
#include "streamgage/topology/sources/request.hpp"
#include "streamgage/topology/sources/topology.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

// The value, or an empty one with the reason noted under the names of the fields that hold it.
template <class T>
T known(Machine& machine, std::initializer_list<const char*> fields, Fact<T> fact) {
  if (fact) {
    return std::move(*fact);
  }
  for (const char* field : fields) {
    machine.unknown[field] = fact.error().reason;
  }
  return T{};
}

// Notes why a field is empty, where the files that would say it cannot be seen at all.
void note_unreadable(Machine& machine, const char* field, const FileRoots& roots,
                     const std::string& folder) {
  if (const auto error = folder_error(folder)) {
    machine.unknown[field] = why_unreadable(roots, folder, error);
  }
}

// Counts are of the whole machine; the list is of what this process may use.
void describe_hardware(Machine& machine, Topology&& topology) {
  machine.is_this_system = topology.is_this_system;
  machine.unknown = std::move(topology.unknown);
  machine.host = std::move(topology.host);
  machine.architecture = std::move(topology.architecture);
  machine.kernel = std::move(topology.kernel);
  machine.system = std::move(topology.system);
  machine.processor = std::move(topology.processor);
  machine.packages = topology.packages;
  machine.dies = count_dies(topology.threads);
  machine.cores = count_cores(topology.threads);
  machine.hardware_threads = static_cast<int>(topology.threads.size());
  machine.threads_per_core = most_threads_per_core(topology.threads);
  machine.caches = std::move(topology.caches);
  machine.memory_side_caches = std::move(topology.memory_side_caches);
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
  read_free_memory(machine.numa_nodes, roots);
  machine.isolated_cpus = known(machine, {"isolated_cpus"}, find_isolated_cpus(roots));
  if (const auto nodes = find_allowed_nodes(roots)) {
    std::erase_if(machine.allowed_nodes, [&](int node) {
      return std::find(nodes->begin(), nodes->end(), node) == nodes->end();
    });
  }
  if (auto set = known(machine, {"cpu_sets"}, find_cgroup_cpus(roots))) {
    machine.cpu_sets.push_back(std::move(*set));
  }
  machine.cpu_sets.push_back({"affinity", machine.allowed_cpus, std::nullopt});
}

void describe_limits(Machine& machine, const FileRoots& roots) {
  machine.cpu_quota = known(machine, {"cpu_quota"}, cpu_quota(roots));
  machine.nice = getpriority(PRIO_PROCESS, 0);  // of this thread, from which others inherit it
  if (const auto limit =
          known(machine, {"memory_limit_bytes", "memory_limit_free_bytes"}, memory_limit(roots))) {
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
  if (!machine.system) {
    note_unreadable(machine, "system", roots, roots.sys + "/devices");
  }
  const HugePages huge_pages =
      known(machine, {"huge_pages", "huge_page_bytes"}, find_huge_pages(roots));
  if (!machine.unknown.contains("huge_pages")) {
    machine.huge_pages = huge_pages.state;
    machine.huge_page_bytes = huge_pages.bytes;
  }
  machine.numa_balancing = known(machine, {"numa_balancing"}, find_numa_balancing(roots));
  machine.frequency = known(machine, {"frequency"}, find_frequency(roots));
}

Result<void> describe_this_system(Machine& machine, const FileRoots& roots) {
  STREAMGAGE_TRY(auto names, find_host_names());
  STREAMGAGE_TRY(const auto memory, find_host_memory(roots));
  machine.host = std::move(names.host);
  machine.architecture = std::move(names.architecture);
  machine.kernel = std::move(names.kernel);
  machine.memory_bytes = memory.bytes;
  machine.memory_available_bytes = memory.available_bytes;
  machine.page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  machine.processor_id = find_processor_id(roots);
  if (auto name = find_processor_name(roots)) {
    machine.processor = std::move(name);
  }
  if (!machine.processor) {
    note_unreadable(machine, "processor", roots, roots.proc + "/self");
  }
  machine.hypervisor = known(machine, {"hypervisor"}, find_hypervisor(roots));
  describe_use(machine, roots);
  describe_limits(machine, roots);
  describe_modules(machine, roots);
  describe_settings(machine, roots);
  return {};
}

std::optional<std::uint64_t> sum_of_memory(const std::vector<NumaNode>& nodes) {
  std::optional<std::uint64_t> sum;
  for (const NumaNode& node : nodes) {
    if (node.bytes) {
      sum = sum.value_or(0) + *node.bytes;
    }
  }
  return sum;
}

// What the description says and no more: nothing of the system that this process runs on.
void describe_other_system(Machine& machine, const std::optional<TopologyRequest>& request) {
  const std::string description = request ? request->text() : "a component of hwloc";
  machine.described_by = description;
  machine.memory_bytes = sum_of_memory(machine.numa_nodes);
  if (const auto files = request ? stored_files(*request) : std::nullopt) {
    machine.kernel = find_stored_kernel(*files);
    if (auto name = find_processor_name(*files, std::nullopt)) {
      machine.processor = std::move(name);
    }
    machine.processor_id = find_processor_id(*files, Architecture::kX86);
    describe_settings(machine, *files);
  }
  const std::string why = fmt::format("{} does not contain it", description);
  machine.memory_modules_reason = why;
  const auto note = [&](const char* field, bool is_empty) {
    if (is_empty) {
      machine.unknown.emplace(field, why);
    }
  };
  note("host", !machine.host);
  note("architecture", !machine.architecture);
  note("kernel", !machine.kernel);
  note("processor", !machine.processor);
  note("memory_bytes", !machine.memory_bytes);
  note("system", !machine.system);
  note("huge_pages", !machine.huge_pages);
  note("huge_page_bytes", !machine.huge_page_bytes);
  note("numa_balancing", !machine.numa_balancing);
  note("frequency", !machine.frequency);
  for (const char* field :
       {"hypervisor", "page_bytes", "isolated_cpus", "cpu_sets", "cpu_quota", "nice",
        "memory_available_bytes", "memory_limit_bytes", "memory_limit_free_bytes"}) {
    note(field, true);
  }
}

}  // namespace

Result<Machine> discover_machine(const FileRoots& roots) {
  STREAMGAGE_TRY(auto topology, find_topology(roots));
  STREAMGAGE_TRY(auto allowed, find_allowed_cpus(topology));
  Machine machine;
  machine.allowed_cpus = std::move(allowed);
  describe_hardware(machine, std::move(topology));
  if (machine.is_this_system) {
    STREAMGAGE_TRY(describe_this_system(machine, roots));
  } else {
    describe_other_system(machine, find_request());
  }
  return machine;
}

}  // namespace streamgage
