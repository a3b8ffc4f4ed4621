#include "streamgage/placement/expression/thread_domains.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace streamgage {
namespace {

// Hardware threads in compact order.
using Members = std::vector<HardwareThread>;

ThreadDomain make_domain(DomainName name, std::string words, Members members) {
  ThreadDomain domain{name, std::move(words), {}, {}};
  for (const HardwareThread& thread : members) {
    domain.compact.push_back(thread.cpu);
  }
  std::stable_sort(
      members.begin(), members.end(),
      [](const HardwareThread& one, const HardwareThread& other) { return one.smt < other.smt; });
  for (const HardwareThread& thread : members) {
    domain.sorted.push_back(thread.cpu);
  }
  return domain;
}

// Domains by the number that hardware threads have; a thread without one is in none.
void add_numbered(ThreadDomains& domains, const Machine& machine, DomainKind kind, int count,
                  std::optional<int> HardwareThread::*number, const char* words) {
  std::map<int, Members> members;
  for (int i = 0; i < count; ++i) {
    members[i];
  }
  for (const HardwareThread& thread : machine.allowed) {
    if (const auto index = thread.*number) {
      members[*index].push_back(thread);
    }
  }
  for (auto& [index, threads] : members) {
    domains.all.push_back(
        make_domain({kind, index}, fmt::format("{} {}", words, index), std::move(threads)));
  }
}

Members members_of(const Machine& machine, const CpuList& cpus) {
  const std::set<int> wanted(cpus.begin(), cpus.end());
  Members members;
  std::copy_if(machine.allowed.begin(), machine.allowed.end(), std::back_inserter(members),
               [&](const HardwareThread& thread) { return wanted.contains(thread.cpu); });
  return members;
}

// The last caches before memory, of whatever level: those none of whose CPUs has one of a higher
// level. In their logical order, the higher level first.
std::vector<const CpuList*> last_level_caches(const Machine& machine) {
  std::map<int, std::vector<const CpuList*>, std::greater<>> levels;
  for (const Cache& cache : machine.caches) {
    if (cache.kind != "instruction") {
      for (const CpuList& instance : cache.shared_by) {
        levels[cache.level].push_back(&instance);
      }
    }
  }
  std::set<int> covered;
  std::vector<const CpuList*> found;
  for (const auto& [level, instances] : levels) {
    const std::size_t before = found.size();
    for (const CpuList* cpus : instances) {
      if (std::none_of(cpus->begin(), cpus->end(),
                       [&](int cpu) { return covered.contains(cpu); })) {
        found.push_back(cpus);
      }
    }
    for (std::size_t i = before; i < found.size(); ++i) {
      covered.insert(found[i]->begin(), found[i]->end());
    }
  }
  return found;
}

void add_caches(ThreadDomains& domains, const Machine& machine) {
  int number = 0;
  for (const CpuList* cpus : last_level_caches(machine)) {
    domains.all.push_back(make_domain({DomainKind::kCache, number},
                                      fmt::format("last-level cache {}", number),
                                      members_of(machine, *cpus)));
    ++number;
  }
}

void add_memory(ThreadDomains& domains, const Machine& machine) {
  std::map<int, const CpuList*> nodes;
  for (const NumaNode& node : machine.numa_nodes) {
    if (!node.cpus.empty()) {
      nodes[node.os_index] = &node.cpus;
    }
  }
  int number = 0;
  for (const auto& [os_index, cpus] : nodes) {
    std::string words = number == os_index
                            ? fmt::format("NUMA domain {}", number)
                            : fmt::format("NUMA domain {} (node {})", number, os_index);
    domains.all.push_back(
        make_domain({DomainKind::kMemory, number}, std::move(words), members_of(machine, *cpus)));
    ++number;
  }
}

}  // namespace

const ThreadDomain* ThreadDomains::find(DomainName name) const {
  const auto found = std::find_if(all.begin(), all.end(), [&](const ThreadDomain& domain) {
    return domain.name.kind == name.kind && domain.name.number == name.number;
  });
  return found == all.end() ? nullptr : &*found;
}

std::vector<const ThreadDomain*> ThreadDomains::of_kind(DomainKind kind) const {
  std::vector<const ThreadDomain*> found;
  for (const ThreadDomain& domain : all) {
    if (domain.name.kind == kind) {
      found.push_back(&domain);
    }
  }
  return found;
}

ThreadDomains thread_domains(const Machine& machine) {
  ThreadDomains domains;
  domains.allowed = machine.allowed_cpus;
  domains.restricted = machine.allowed_cpus.size() < machine.online_cpus.size();
  domains.all.push_back(make_domain({DomainKind::kNode, 0}, "the node", machine.allowed));
  add_numbered(domains, machine, DomainKind::kSocket, machine.packages, &HardwareThread::package,
               "socket");
  add_numbered(domains, machine, DomainKind::kDie, machine.dies, &HardwareThread::die, "die");
  add_caches(domains, machine);
  add_memory(domains, machine);
  return domains;
}

}  // namespace streamgage
