#include "streamgage/topology/sources/topology.hpp"

#include <algorithm>

#if STREAMGAGE_HWLOC
#include "streamgage/topology/sources/hwloc_source.hpp"
#else
#include "streamgage/topology/sources/sysfs_source.hpp"
#endif

namespace streamgage {

Result<Topology> find_topology(const FileRoots& roots) {
#if STREAMGAGE_HWLOC
  return find_by_hwloc(roots);
#else
  return find_by_sysfs(roots);
#endif
}

int count_cores(const std::vector<HardwareThread>& threads) {
  int cores = 0;
  for (const HardwareThread& thread : threads) {
    cores = std::max(cores, thread.core + 1);
  }
  return cores;
}

int count_dies(const std::vector<HardwareThread>& threads) {
  int dies = 0;
  for (const HardwareThread& thread : threads) {
    dies = std::max(dies, thread.die + 1);
  }
  return dies;
}

int most_threads_per_core(const std::vector<HardwareThread>& threads) {
  int most = 0;
  for (const HardwareThread& thread : threads) {
    most = std::max(most, thread.smt + 1);
  }
  return most;
}

}  // namespace streamgage
