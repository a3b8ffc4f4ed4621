#include "streamgage/counters/controllers/memory_domains.hpp"

#include <set>

#include <fmt/format.h>

#include "streamgage/topology/cores/sysfs_threads.hpp"
#include "streamgage/topology/nodes/sysfs_nodes.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {

std::string name_of(const MemoryDomain& domain) {
  if (domain.package) {
    return fmt::format("package {}", *domain.package);
  }
  return domain.node ? fmt::format("node {}", *domain.node) : "the machine";
}

MemoryDomains::MemoryDomains(const FileRoots& roots) {
  const CpuList online = find_online_cpus(roots);
  const SysfsThreads threads = read_hardware_threads(roots, online, {});
  packages_ = threads.packages;
  for (const HardwareThread& thread : threads.threads) {
    homes_[thread.cpu].package = thread.package;
  }
  for (const NumaNode& node : read_numa_nodes(roots, online).nodes) {
    for (const int cpu : node.cpus) {
      homes_[cpu].node = node.os_index;
    }
  }
}

Result<MemoryDomain> MemoryDomains::of_cpu(int cpu, DomainScope scope) const {
  const auto home = homes_.find(cpu);
  if (home == homes_.end()) {
    return failure(fmt::format("CPU {} is not online", cpu));
  }
  if (scope == DomainScope::kNode) {
    return MemoryDomain{std::nullopt, home->second.node};
  }
  if (scope == DomainScope::kMachine && packages_ > 1) {
    return MemoryDomain{};
  }
  return of_package(home->second.package);
}

MemoryDomain MemoryDomains::of_package(std::optional<int> package) const {
  if (!package) {
    return {};
  }
  std::set<std::optional<int>> nodes;
  for (const auto& [cpu, home] : homes_) {
    if (home.package == package) {
      nodes.insert(home.node);
    }
  }
  return {package, nodes.size() == 1 ? *nodes.begin() : std::nullopt};
}

}  // namespace streamgage
