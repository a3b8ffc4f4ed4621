#include "topology/sources/topology.hpp"

#include <algorithm>

#include "topology/sources/hwloc_source.hpp"

namespace streamgage {

Result<Topology> find_topology(const FileRoots& roots) { return find_by_hwloc(roots); }

int count_cores(const std::vector<HardwareThread>& threads) {
  int cores = 0;
  for (const HardwareThread& thread : threads) {
    cores = std::max(cores, thread.core + 1);
  }
  return cores;
}

int most_threads_per_core(const std::vector<HardwareThread>& threads) {
  int most = 0;
  for (const HardwareThread& thread : threads) {
    most = std::max(most, thread.smt + 1);
  }
  return most;
}

}  // namespace streamgage
