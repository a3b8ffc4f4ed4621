// Caches as the C library and the kernel's auxiliary vector report them: sizes only. It is what is
// left where /sys has no folder of caches, as on some RISC-V boards and in some containers.
#pragma once

#include <functional>
#include <vector>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Whom to ask; tests answer by themselves.
struct CacheOracle {
  std::function<unsigned long(unsigned long)> auxiliary;  // getauxval
  std::function<long(int)> configured;                    // sysconf
};

CacheOracle this_systems_oracle();

// One entry an instance. It is unknown who shares it: levels 1 and 2 are taken for each core's own,
// higher ones for each package's. Empty where no size is reported.
std::vector<Cache> reported_caches(const std::vector<HardwareThread>& threads,
                                   const CacheOracle& oracle);

}  // namespace streamgage
