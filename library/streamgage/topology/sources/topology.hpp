// The hardware as a source describes it, before it is known which parts this process may use. The
// source is hwloc or, in an engine built without hwloc, only the kernel's files.
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
  // Every online hardware thread, also those that this process may not use, in compact order.
  std::vector<HardwareThread> threads;
  std::vector<Cache> caches;
  std::vector<MemorySideCache> memory_side_caches;
  std::vector<NumaNode> numa_nodes;
  NodeDistances node_distances;  // empty where there is one node
  std::vector<CoreKind> core_kinds;
  CpuList online_cpus;
  CpuList offline_cpus;  // present, and switched off
  // The allowed CPUs as the source reports them. On this system the kernel's report counts instead.
  CpuList allowed_cpus;
  CpuList allowed_nodes;
};

// Reads the source that the engine was built for.
Result<Topology> find_topology(const FileRoots& roots);

// The parts of the machine that a source did not find.
struct AbsentParts {
  bool cores = false;
  bool packages = false;
};

// Notes in `unknown` why these are not known, and why there are no caches and NUMA nodes, unless
// the source gave a reason. `files` are the kernel's of the machine, where there are any;
// `description` is what describes it, "HWLOC_XMLFILE='x.xml'", empty for this system.
void explain_absence(Topology& topology, const AbsentParts& absent,
                     const std::optional<FileRoots>& files, const std::string& description);

int count_dies(const std::vector<HardwareThread>& threads);

int count_cores(const std::vector<HardwareThread>& threads);

// Returns the most hardware threads that any core has.
int most_threads_per_core(const std::vector<HardwareThread>& threads);

}  // namespace streamgage
