// Tests whether something keeps this process off CPUs that are idle. This detects a CPU quota even
// if its control group cannot be read.
#pragma once

#include <optional>

#include "contract/environment.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// The CPU time that threads got which only computed, one bound to each CPU.
struct CpuTimeTrial {
  int threads = 0;
  double seconds = 0.0;                // wall time
  double cpu_seconds = 0.0;            // that all of them got
  std::optional<double> idle_seconds;  // of their CPUs meanwhile; nothing where it is not reported
};

// Computes for about `seconds` on every CPU that this process may use. Use about one second: the
// kernel counts idle time in ticks of 10 ms, and the period of a quota is mostly 100 ms.
CpuTimeTrial try_cpu_time(const Machine& machine, double seconds, const FileRoots& roots = {});

record::CpuTimeTrial record_of(const CpuTimeTrial& trial);

}  // namespace streamgage::engine
