#include "topology/caches.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace streamgage {
namespace {

constexpr std::string_view kInstruction = "instruction";

std::string_view kind_name(hwloc_obj_cache_type_t type) {
  switch (type) {
    case HWLOC_OBJ_CACHE_DATA:
      return "data";
    case HWLOC_OBJ_CACHE_INSTRUCTION:
      return kInstruction;
    case HWLOC_OBJ_CACHE_UNIFIED:
      break;
  }
  return "unified";
}

bool is_alike(const Cache& a, const Cache& b) {
  return a.level == b.level && a.kind == b.kind && a.bytes == b.bytes &&
         a.line_bytes == b.line_bytes;
}

bool comes_before(const Cache& a, const Cache& b) {
  const auto key = [](const Cache& cache) {
    return std::tuple(cache.level, cache.kind == kInstruction, ~cache.bytes, cache.line_bytes);
  };
  return key(a) < key(b);
}

void add_instance(std::vector<Cache>& caches, const hwloc_obj* object) {
  const auto& attributes = object->attr->cache;
  Cache cache{.level = static_cast<int>(attributes.depth),
              .kind = std::string(kind_name(attributes.type)),
              .bytes = attributes.size,
              .line_bytes = static_cast<int>(attributes.linesize),
              .shared_by = {cpus_in(object->cpuset)}};
  const auto group = std::find_if(caches.begin(), caches.end(),
                                  [&](const Cache& other) { return is_alike(cache, other); });
  if (group == caches.end()) {
    caches.push_back(std::move(cache));
  } else {
    group->shared_by.push_back(std::move(cache.shared_by.front()));
  }
}

// Which instance of which group.
using CacheInstance = std::pair<std::size_t, std::size_t>;

std::map<int, CacheInstance> last_level_by_cpu(const std::vector<Cache>& caches) {
  std::map<int, CacheInstance> last;
  for (std::size_t group = 0; group < caches.size(); ++group) {
    const Cache& cache = caches[group];
    if (cache.kind == kInstruction || cache.bytes == 0) {  // 0: hwloc does not know the size
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

}  // namespace

std::vector<Cache> find_caches(const HwlocTopology& topology) {
  std::vector<Cache> caches;
  for (const auto type :
       {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE,
        HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2ICACHE, HWLOC_OBJ_L3ICACHE}) {
    for (const hwloc_obj* object : topology.objects(type)) {
      add_instance(caches, object);
    }
  }
  std::stable_sort(caches.begin(), caches.end(), comes_before);
  return caches;
}

std::uint64_t last_level_cache_bytes(const Machine& machine, const CpuList& cpus) {
  // On hybrid chips the last level differs from core to core: a low-power cluster may lack an L3.
  const auto last = last_level_by_cpu(machine.caches);
  std::set<CacheInstance> used;
  for (const int cpu : cpus) {
    if (const auto found = last.find(cpu); found != last.end()) {
      used.insert(found->second);
    }
  }
  std::uint64_t bytes = 0;
  for (const auto& [group, instance] : used) {
    bytes += machine.caches[group].bytes;
  }
  return bytes;
}

}  // namespace streamgage
