#include "streamgage/topology/caches/caches.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace streamgage {
namespace {

bool is_of_one_group(const Cache& a, const Cache& b) {
  return a.level == b.level && a.kind == b.kind && a.bytes == b.bytes &&
         a.line_bytes == b.line_bytes;
}

bool cache_comes_before(const Cache& a, const Cache& b) {
  const auto key = [](const Cache& cache) {
    return std::tuple(cache.level, cache.kind == kInstructionCache, ~cache.bytes, cache.line_bytes);
  };
  return key(a) < key(b);
}

// Which instance of which group.
using CacheInstance = std::pair<std::size_t, std::size_t>;

std::map<int, CacheInstance> last_level_by_cpu(const std::vector<Cache>& caches) {
  std::map<int, CacheInstance> last;
  for (std::size_t group = 0; group < caches.size(); ++group) {
    const Cache& cache = caches[group];
    if (cache.kind == kInstructionCache || cache.bytes == 0) {  // 0: the size is not known
      continue;
    }
    for (std::size_t instance = 0; instance < cache.shared_by.size(); ++instance) {
      for (const int cpu : cache.shared_by[instance]) {
        const auto known = last.find(cpu);
        if (known == last.end() || caches[known->second.first].level < cache.level) {
          last[cpu] = {group, instance};
        }
      }
    }
  }
  return last;
}

// Those in front of the memory that the CPU uses: its own node's, or that of the given nodes.
std::set<CacheInstance> memory_side_caches_of(const Machine& machine, int cpu,
                                              const CpuList& nodes) {
  if (machine.memory_side_caches.empty()) {
    return {};
  }
  const auto thread = std::find_if(machine.threads.begin(), machine.threads.end(),
                                   [cpu](const HardwareThread& each) { return each.cpu == cpu; });
  CpuList wanted = nodes;
  if (wanted.empty() && thread != machine.threads.end() && thread->node) {
    wanted = {*thread->node};
  }
  std::set<CacheInstance> found;
  for (std::size_t group = 0; group < machine.memory_side_caches.size(); ++group) {
    const auto& instances = machine.memory_side_caches[group].nodes;
    for (std::size_t instance = 0; instance < instances.size(); ++instance) {
      const CpuList& behind = instances[instance];
      if (machine.memory_side_caches[group].bytes > 0 &&
          std::find_first_of(behind.begin(), behind.end(), wanted.begin(), wanted.end()) !=
              behind.end()) {
        found.insert({group, instance});
      }
    }
  }
  return found;
}

}  // namespace

std::vector<MemorySideCache> group_memory_side_caches(
    const std::vector<MemorySideCache>& instances) {
  std::vector<MemorySideCache> groups;
  for (const MemorySideCache& cache : instances) {
    const auto group =
        std::find_if(groups.begin(), groups.end(), [&](const MemorySideCache& other) {
          return cache.bytes == other.bytes && cache.line_bytes == other.line_bytes;
        });
    if (group == groups.end()) {
      groups.push_back(cache);
    } else {
      group->nodes.insert(group->nodes.end(), cache.nodes.begin(), cache.nodes.end());
    }
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.nodes.front() < b.nodes.front(); });
  return groups;
}

std::vector<Cache> group_caches(const std::vector<Cache>& instances) {
  std::vector<Cache> caches;
  for (const Cache& cache : instances) {
    const auto group = std::find_if(caches.begin(), caches.end(), [&](const Cache& other) {
      return is_of_one_group(cache, other);
    });
    if (group == caches.end()) {
      caches.push_back(cache);
    } else {
      group->shared_by.insert(group->shared_by.end(), cache.shared_by.begin(),
                              cache.shared_by.end());
    }
  }
  std::stable_sort(caches.begin(), caches.end(), cache_comes_before);
  return caches;
}

std::uint64_t last_level_cache_bytes(const Machine& machine, const CpuList& cpus,
                                     const CpuList& nodes) {
  // On hybrid chips the last level differs from core to core: a low-power cluster may lack an L3.
  const auto last = last_level_by_cpu(machine.caches);
  std::set<CacheInstance> used;
  std::set<CacheInstance> in_front;
  for (const int cpu : cpus) {
    const auto before_memory = memory_side_caches_of(machine, cpu, nodes);
    in_front.insert(before_memory.begin(), before_memory.end());
    if (const auto found = last.find(cpu); found != last.end() && before_memory.empty()) {
      used.insert(found->second);
    }
  }
  std::uint64_t bytes = 0;
  for (const auto& [group, instance] : used) {
    bytes += machine.caches[group].bytes;
  }
  for (const auto& [group, instance] : in_front) {
    bytes += machine.memory_side_caches[group].bytes;
  }
  return bytes;
}

}  // namespace streamgage
