#include "streamgage/topology/caches/hwloc_caches.hpp"

#include <string>
#include <string_view>

#include "streamgage/topology/caches/caches.hpp"

namespace streamgage {
namespace {

std::string_view kind_name(hwloc_obj_cache_type_t type) {
  switch (type) {
    case HWLOC_OBJ_CACHE_DATA:
      return kDataCache;
    case HWLOC_OBJ_CACHE_INSTRUCTION:
      return kInstructionCache;
    case HWLOC_OBJ_CACHE_UNIFIED:
      break;
  }
  return kUnifiedCache;
}

}  // namespace

std::vector<Cache> find_caches(const HwlocTopology& topology) {
  std::vector<Cache> instances;
  for (const auto type :
       {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE,
        HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2ICACHE, HWLOC_OBJ_L3ICACHE}) {
    for (const hwloc_obj* object : topology.objects(type)) {
      const auto& attributes = object->attr->cache;
      instances.push_back({.level = static_cast<int>(attributes.depth),
                           .kind = std::string(kind_name(attributes.type)),
                           .bytes = attributes.size,
                           .line_bytes = static_cast<int>(attributes.linesize),
                           .shared_by = {cpus_in(object->cpuset)}});
    }
  }
  return group_caches(instances);
}

std::vector<MemorySideCache> find_memory_side_caches(const HwlocTopology& topology) {
  std::vector<MemorySideCache> instances;
  for (const hwloc_obj* object : topology.objects(HWLOC_OBJ_MEMCACHE)) {
    instances.push_back({.bytes = object->attr->cache.size,
                         .line_bytes = static_cast<int>(object->attr->cache.linesize),
                         .nodes = {cpus_in(object->nodeset)}});
  }
  return group_memory_side_caches(instances);
}

}  // namespace streamgage
