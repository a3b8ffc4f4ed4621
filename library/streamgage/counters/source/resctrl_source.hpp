// Traffic by the kernel's resource control: Memory Bandwidth Monitoring (MBM) of Intel and AMD.
#pragma once

#include <functional>

#include "streamgage/counters/source/traffic_source.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns after a moment.
using Pause = std::function<void()>;
void pause_shortly();

// Reads <sys>/fs/resctrl/mon_data/mon_L3_*/mbm_total_bytes, of all groups together: what the CPUs
// next to each last-level cache moved to and from any memory, reads and writes in one. So a domain
// is the package that requested the bytes, not the one whose memory delivered them. A file that
// reports no number is read again after the pause before the source is rejected.
OpenedSource open_resctrl_source(const FileRoots& roots, const Pause& pause = pause_shortly);

}  // namespace streamgage
