// Reads the topology from the kernel's files alone: /sys/devices/system, or others without it.
#pragma once

#include "streamgage/base/error.hpp"
#include "streamgage/topology/caches/reported_caches.hpp"
#include "streamgage/topology/machine.hpp"
#include "streamgage/topology/sources/topology.hpp"

namespace streamgage {

// Returns the topology of this system. It is an error if the environment requests another one from
// hwloc.
Result<Topology> find_by_sysfs(const FileRoots& roots,
                               const CacheOracle& oracle = this_systems_oracle());

}  // namespace streamgage
