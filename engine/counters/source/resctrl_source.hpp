// Traffic by the kernel's resource control: Memory Bandwidth Monitoring (MBM) of Intel and AMD.
#pragma once

#include "counters/source/traffic_source.hpp"
#include "topology/machine.hpp"

namespace streamgage {

// Reads <sys>/fs/resctrl/mon_data/mon_L3_*/mbm_total_bytes, of all groups together: what the CPUs
// beside each last-level cache moved to and from any memory, reads and writes in one. A domain is
// thus the package that asked, not the one whose memory answered.
OpenedSource open_resctrl_source(const FileRoots& roots);

}  // namespace streamgage
