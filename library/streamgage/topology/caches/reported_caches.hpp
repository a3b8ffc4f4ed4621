// Caches as the C library and the kernel's auxiliary vector report them: sizes only. This is the
// last resort if /sys has no folder of caches, as on some RISC-V boards and in some containers.
#pragma once

#include <functional>
#include <vector>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

// The functions that report sizes; tests have their own.
struct CacheOracle {
  std::function<unsigned long(unsigned long)> auxiliary;  // getauxval
  std::function<long(int)> configured;                    // sysconf
};

CacheOracle this_systems_oracle();

// Returns one entry for each instance. It is unknown which CPUs share a cache: levels 1 and 2 are
// assumed to belong to one core each, higher ones to one package each. Empty if no size is
// reported.
std::vector<Cache> reported_caches(const std::vector<HardwareThread>& threads,
                                   const CacheOracle& oracle);

// Adds the levels that only /proc/cpuinfo lists, as on s390, whose kernel has no files for caches
// that several cores share (L3, L4). Which CPUs share them is not reported, and assumed as above.
void add_shared_caches(std::vector<Cache>& caches, const std::vector<HardwareThread>& threads,
                       const FileRoots& roots);

}  // namespace streamgage
