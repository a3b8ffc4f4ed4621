// For tests: the machines that the notation's examples are of, and what else can be made of cores.
#pragma once

#include <algorithm>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// The same machine for a process that may use those CPUs alone.
inline Machine confined_to(Machine machine, const CpuList& cpus) {
  machine.allowed_cpus = cpus;
  std::erase_if(machine.allowed, [&](const HardwareThread& thread) {
    return std::find(cpus.begin(), cpus.end(), thread.cpu) == cpus.end();
  });
  return machine;
}

// Cores of so many packages, in order; each entry of `cores` is a core's CPUs. Every package is a
// die, shares an L3 and is a NUMA domain; `domains_a_package` divides it into so many caches and
// domains.
inline Machine machine_of_cores(const std::vector<CpuList>& cores, int packages,
                                int domains_a_package = 1) {
  Machine machine;
  machine.packages = packages;
  machine.dies = packages;
  const auto count = static_cast<int>(cores.size());
  const int domains = packages * domains_a_package;
  Cache last{3, "unified", 1 << 20, 64, std::vector<CpuList>(static_cast<std::size_t>(domains))};
  for (int core = 0; core < count; ++core) {
    const int package = core * packages / count;
    const int domain = core * domains / count;
    const CpuList& cpus = cores[static_cast<std::size_t>(core)];
    for (std::size_t smt = 0; smt < cpus.size(); ++smt) {
      machine.allowed.push_back({cpus[smt], core, static_cast<int>(smt), package, domain, package});
      machine.allowed_cpus.push_back(cpus[smt]);
      last.shared_by[static_cast<std::size_t>(domain)].push_back(cpus[smt]);
    }
  }
  for (int domain = 0; domain < domains; ++domain) {
    CpuList& cpus = last.shared_by[static_cast<std::size_t>(domain)];
    std::sort(cpus.begin(), cpus.end());
    machine.numa_nodes.push_back({domain, cpus, {}});
  }
  machine.caches = {std::move(last)};
  std::sort(machine.allowed_cpus.begin(), machine.allowed_cpus.end());
  machine.online_cpus = machine.allowed_cpus;
  return machine;
}

// Two sockets of four cores; CPUs 8-15 are the second hardware threads.
inline Machine topology_a() {
  std::vector<CpuList> cores;
  for (int core = 0; core < 8; ++core) {
    cores.push_back({core, core + 8});
  }
  return machine_of_cores(cores, 2);
}

// One socket of eight cores in two NUMA domains with a last-level cache each; siblings adjacent.
inline Machine topology_b() {
  std::vector<CpuList> cores;
  for (int core = 0; core < 8; ++core) {
    cores.push_back({2 * core, 2 * core + 1});
  }
  return machine_of_cores(cores, 1, 2);
}

}  // namespace streamgage
