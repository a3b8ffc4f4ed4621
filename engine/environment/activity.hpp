// Watches what happens on this machine while this program does nothing.
#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// The CPU-seconds of others on the CPUs that this process may use.
struct Activity {
  CpuList cpus;
  double seconds = 0.0;
  std::optional<double> steal_seconds;  // nothing where the kernel does not report it
  std::optional<double> other_seconds;
};

// Sleeps for `seconds`, 0.1 to 60, and returns what others used meanwhile; any other time is a
// usage error. The kernel counts in ticks of 10 ms.
Result<Activity> watch_activity(const CpuList& cpus, double seconds, const FileRoots& roots = {});

nlohmann::ordered_json to_record(const Activity& activity);

}  // namespace streamgage::engine
