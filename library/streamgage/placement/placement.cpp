#include "streamgage/placement/placement.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/placement/expression/expand.hpp"
#include "streamgage/placement/expression/wording.hpp"

namespace streamgage {
namespace {

// Number of the last-level cache that the CPU uses among all of its level; -1 where none is known.
int last_level_cache_of(const Machine& machine, int cpu) {
  int level = 0;
  int found = -1;
  for (const Cache& cache : machine.caches) {
    if (cache.kind == "instruction" || cache.level < level) {
      continue;
    }
    for (std::size_t instance = 0; instance < cache.shared_by.size(); ++instance) {
      const CpuList& cpus = cache.shared_by[instance];
      if (std::find(cpus.begin(), cpus.end(), cpu) != cpus.end()) {
        level = cache.level;
        found = static_cast<int>(instance);
      }
    }
  }
  return found;
}

// The order in which CPUs are taken as threads are added: first hardware threads of all cores
// before any second one, and each round dealt over the memory domains in turn, within a domain
// over its last-level caches in turn.
CpuList spread_order(const Machine& machine) {
  using Domain = std::pair<std::optional<int>, std::optional<int>>;  // package, NUMA node
  struct Candidate {
    int smt_rank;    // among the allowed hardware threads of its core
    int core_rank;   // among the cores of its last-level cache
    int cache_rank;  // among the last-level caches of its domain
    Domain domain;
    int cpu;
  };
  std::vector<Candidate> candidates;
  std::map<int, int> threads_of_core;
  std::map<std::pair<Domain, int>, std::map<int, int>> cores_of_cache;
  std::map<Domain, std::map<int, int>> caches_of_domain;
  // A new key gets the number of those before it: compact order makes ranks plain counts.
  const auto rank = [](std::map<int, int>& ranks, int key) {
    return ranks.emplace(key, static_cast<int>(ranks.size())).first->second;
  };
  for (const HardwareThread& thread : machine.allowed) {
    const Domain domain{thread.package, thread.node};
    const int cache = last_level_cache_of(machine, thread.cpu);
    candidates.push_back({threads_of_core[thread.core]++,
                          rank(cores_of_cache[{domain, cache}], thread.core),
                          rank(caches_of_domain[domain], cache), domain, thread.cpu});
  }
  std::stable_sort(
      candidates.begin(), candidates.end(), [](const Candidate& one, const Candidate& other) {
        return std::tie(one.smt_rank, one.core_rank, one.cache_rank, one.domain) <
               std::tie(other.smt_rank, other.core_rank, other.cache_rank, other.domain);
      });
  CpuList cpus;
  cpus.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    cpus.push_back(candidate.cpu);
  }
  return cpus;
}

int count_allowed_cores(const std::vector<HardwareThread>& allowed) {
  std::set<int> cores;
  for (const HardwareThread& thread : allowed) {
    cores.insert(thread.core);
  }
  return static_cast<int>(cores.size());
}

Result<Placement> place_on_cores(const Machine& machine, const PlacementRequest& request) {
  const int threads = request.threads.value_or(count_allowed_cores(machine.allowed));
  if (threads > static_cast<int>(machine.allowed.size())) {
    return usage_error(fmt::format(
        "{} threads are asked for, but this process may use {}: {}; ask for at most {}", threads,
        count_of(machine.allowed.size(), "CPU"), format_cpu_list(machine.allowed_cpus),
        count_of(machine.allowed.size(), "thread")));
  }
  const CpuList order = spread_order(machine);
  const std::set<int> chosen(order.begin(), order.begin() + threads);
  // Neighbouring threads get neighbouring parts of the arrays: number them in compact order.
  CpuList cpus;
  for (const HardwareThread& thread : machine.allowed) {
    if (chosen.contains(thread.cpu)) {
      cpus.push_back(thread.cpu);
    }
  }
  return Placement{PlacementKind::kCores, threads, std::move(cpus)};
}

Result<Placement> place_by_expression(const Machine& machine, const PlacementRequest& request) {
  STREAMGAGE_TRY(auto cpus,
                 expand(*request.expression, machine,
                        request.oversubscribe ? Oversubscribe::kAllowed : Oversubscribe::kRefused));
  const auto named = static_cast<int>(cpus.size());
  if (request.threads.value_or(named) != named) {
    return usage_error(
        fmt::format("{} {} asked for, but {} names {}; leave the number of threads out, or name as "
                    "many CPUs as threads",
                    count_of(*request.threads, "thread"), *request.threads == 1 ? "is" : "are",
                    shown(*request.expression), count_of(named, "CPU")));
  }
  return Placement{PlacementKind::kCpus, named, std::move(cpus)};
}

Result<Placement> place_on_list(const Machine& machine, const PlacementRequest& request) {
  const auto listed = static_cast<int>(request.cpus.size());
  const int threads = request.threads.value_or(listed);
  if (threads > listed) {
    return usage_error(fmt::format("{} threads are asked for, but only {} {} listed: {}", threads,
                                   count_of(listed, "CPU"), listed == 1 ? "is" : "are",
                                   format_cpu_list(request.cpus)));
  }
  CpuList cpus(request.cpus.begin(), request.cpus.begin() + threads);
  std::set<int> seen;
  for (const int cpu : cpus) {
    if (find_hardware_thread(machine, cpu) == nullptr) {
      return usage_error(fmt::format("this process may not use CPU {}; it may use {}", cpu,
                                     format_cpu_list(machine.allowed_cpus)));
    }
    if (!seen.insert(cpu).second && !request.oversubscribe) {
      return usage_error(fmt::format(
          "CPU {} is listed twice, and two threads on one CPU would take turns; list each CPU once",
          cpu));
    }
  }
  return Placement{PlacementKind::kCpus, threads, std::move(cpus)};
}

}  // namespace

const HardwareThread* find_hardware_thread(const Machine& machine, int cpu) {
  const auto found =
      std::find_if(machine.allowed.begin(), machine.allowed.end(),
                   [cpu](const HardwareThread& thread) { return thread.cpu == cpu; });
  return found == machine.allowed.end() ? nullptr : &*found;
}

Result<Placement> choose_placement(const Machine& machine, const PlacementRequest& request,
                                   int runtime_threads) {
  switch (request.kind) {
    case PlacementKind::kCores:
      return place_on_cores(machine, request);
    case PlacementKind::kCpus:
      return request.expression ? place_by_expression(machine, request)
                                : place_on_list(machine, request);
    case PlacementKind::kNone:
      break;
  }
  return Placement{PlacementKind::kNone, request.threads.value_or(runtime_threads), {}};
}

}  // namespace streamgage
