// Whether something holds this process back from CPUs that have nothing else to do: a CPU quota
// whose control group cannot be read is felt that way.
#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// What threads got that did nothing but compute, one bound to each CPU.
struct CpuTimeTrial {
  int threads = 0;
  double seconds = 0.0;                // wall time
  double cpu_seconds = 0.0;            // that all of them got
  std::optional<double> idle_seconds;  // of their CPUs meanwhile; nothing where it is not reported
};

// Computes for about so long on every CPU that this process may use. The kernel counts idle time in
// ticks of 10 ms, and a quota's periods are mostly 100 ms: take a second.
CpuTimeTrial try_cpu_time(const Machine& machine, double seconds, const FileRoots& roots = {});

nlohmann::ordered_json to_record(const CpuTimeTrial& trial);

}  // namespace streamgage::engine
