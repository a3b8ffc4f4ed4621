// Measures the parts of a node by themselves: which NUMA domain or core of a slow node is slow?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/plan.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// A NUMA domain or a core, by its number, with the CPUs that measure it: one a core.
struct NodePart {
  int number = 0;
  CpuList cpus;
};

// The rate of triad of a part, in bytes per second.
struct PartRate {
  int number = 0;
  double rate = 0.0;
};

struct PartRates {
  std::vector<PartRate> domains;  // empty where there is one
  std::vector<PartRate> cores;
  std::vector<std::string> left_out;  // a sentence each: what was not measured, and why
};

// The result of one run of a part.
struct PartRun {
  std::optional<double> rate;  // bytes per second; nothing where the run says nothing of the part
  bool stopped = false;        // by a signal
};

// Measures on these CPUs for this number of seconds.
using MeasurePart = std::function<Result<PartRun>(const CpuList& cpus, double seconds)>;

// Returns how many seconds have passed since any fixed moment.
using Seconds = std::function<double()>;

// Return the domains and cores of the CPUs that this process may use, in ascending order.
std::vector<NodePart> domains_of(const Machine& machine);
std::vector<NodePart> cores_of(const Machine& machine);

// Measures every domain for two seconds, if there are several, and every core for half a second.
// Each kind gets at most a minute; the order makes what was measured until then an even choice.
PartRates measure_parts(const Machine& machine, const MeasurePart& measure, const Seconds& clock);

// Returns the plan of a run of triad with ordinary stores; without a size, STREAM's 4x rule sets
// it.
Plan plan_of_part(const CpuList& cpus, double seconds, std::optional<std::uint64_t> array_bytes);

}  // namespace streamgage::engine
