// The hardware as a source describes it, before what this process may use of it is known. The
// source is hwloc, or the kernel's files alone where the engine was built without hwloc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

struct Topology {
  bool is_this_system = true;
  std::optional<std::string> processor;
  int packages = 1;
  // Every one that is online, also those that this process may not use, in compact order.
  std::vector<HardwareThread> threads;
  std::vector<Cache> caches;
  std::vector<NumaNode> numa_nodes;
  NodeDistances node_distances;  // empty where there is one node
  std::vector<CoreKind> core_kinds;
  CpuList online_cpus;
  CpuList offline_cpus;  // present, and switched off
  // By its own word; the kernel's word counts where it is this system.
  CpuList allowed_cpus;
  CpuList allowed_nodes;
};

// By the source that the engine was built for.
Result<Topology> find_topology(const FileRoots& roots);

int count_dies(const std::vector<HardwareThread>& threads);

int count_cores(const std::vector<HardwareThread>& threads);

// The most hardware threads that any core has.
int most_threads_per_core(const std::vector<HardwareThread>& threads);

}  // namespace streamgage
