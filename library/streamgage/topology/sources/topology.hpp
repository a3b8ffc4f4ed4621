// The hardware as a source describes it, before what this process may use of it is known. The
// source is hwloc, or the kernel's files alone where the engine was built without hwloc.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

struct Topology {
  bool is_this_system = true;
  // Why the source does not know something, by the name of the field in the record.
  std::map<std::string, std::string> unknown;
  // Host of a described machine, if the description names it.
  std::optional<std::string> host;
  std::optional<std::string> architecture;
  std::optional<std::string> kernel;
  std::optional<std::string> system;
  std::optional<std::string> processor;
  int packages = 1;  // at least 1: some machines report none
  // Every one that is online, also those that this process may not use, in compact order.
  std::vector<HardwareThread> threads;
  std::vector<Cache> caches;
  std::vector<MemorySideCache> memory_side_caches;
  std::vector<NumaNode> numa_nodes;
  NodeDistances node_distances;  // empty where there is one node
  std::vector<CoreKind> core_kinds;
  CpuList online_cpus;
  CpuList offline_cpus;  // present, and switched off
  // As the source reports it; on this system the kernel's report counts instead.
  CpuList allowed_cpus;
  CpuList allowed_nodes;
};

// Reads the source that the engine was built for.
Result<Topology> find_topology(const FileRoots& roots);

// What a source did not find of the machine's parts.
struct AbsentParts {
  bool cores = false;
  bool packages = false;
};

// Notes in `unknown` why these are not known, and why there are no caches and NUMA nodes, where the
// source says nothing of them. `files` are the kernel's of the machine, where there are any;
// `description` is what describes it, "HWLOC_XMLFILE='x.xml'", empty for this system.
void explain_absence(Topology& topology, const AbsentParts& absent,
                     const std::optional<FileRoots>& files, const std::string& description);

int count_dies(const std::vector<HardwareThread>& threads);

int count_cores(const std::vector<HardwareThread>& threads);

// The most hardware threads that any core has.
int most_threads_per_core(const std::vector<HardwareThread>& threads);

}  // namespace streamgage
