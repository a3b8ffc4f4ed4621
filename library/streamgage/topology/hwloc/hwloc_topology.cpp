#include "streamgage/topology/hwloc/hwloc_topology.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/hwloc/hwloc_request.hpp"
#include "streamgage/topology/sources/request.hpp"

namespace streamgage {
namespace {

tl::unexpected<Error> hwloc_failure(std::string_view step, int error) {
  return failure(
      fmt::format("hwloc could not {} ({}); check that /proc and /sys are mounted, or give a "
                  "topology with HWLOC_XMLFILE",
                  step, std::generic_category().message(error)));
}

// What runs on the viewer's own processor, and what guesses by it, says nothing of a machine whose
// files are stored; likewise the viewer's files of one whose CPUID is stored.
Result<void> leave_out_this_system(hwloc_topology_t topology, const TopologyRequest& request) {
  if (is_declared_this_system()) {
    return {};
  }
  std::vector<const char*> components;
  if (request.variable == kStoredRoot) {
    components.push_back("no_os");
    if (std::getenv(std::string(kStoredCpuid).c_str()) == nullptr) {
      components.push_back("x86");
    }
  } else if (request.variable == kStoredCpuid) {
    components = {"linux", "no_os"};
  }
  for (const char* component : components) {
    if (hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
                                      component) != 0) {
      return hwloc_failure(fmt::format("leave out its component {}", component), errno);
    }
  }
  return {};
}

tl::unexpected<Error> not_used(const TopologyRequest& request) {
  return usage_error(fmt::format("hwloc could not use {}: {}; correct the variable or unset it",
                                 request.text(), why_not_used(request)));
}

}  // namespace

Result<HwlocTopology> HwlocTopology::load() {
  const auto request = find_request();
  if (request) {
    STREAMGAGE_TRY(check_request(*request));
  }
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    return hwloc_failure("start", errno);
  }
  HwlocTopology topology(raw);
  if (hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0) {
    return hwloc_failure("include the CPUs that are not allowed", errno);
  }
  if (hwloc_topology_set_icache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL) != 0) {
    return hwloc_failure("include instruction caches", errno);
  }
  if (hwloc_topology_set_type_filter(raw, HWLOC_OBJ_MEMCACHE, HWLOC_TYPE_FILTER_KEEP_ALL) != 0) {
    return hwloc_failure("include memory-side caches", errno);
  }
  if (request) {
    STREAMGAGE_TRY(leave_out_this_system(raw, *request));
  }
  if (hwloc_topology_load(raw) != 0) {
    return request ? not_used(*request) : hwloc_failure("find the topology of this machine", errno);
  }
  if (topology.objects(HWLOC_OBJ_PU).empty()) {
    return request ? not_used(*request)
                   : failure("hwloc found no CPU; check that /proc and /sys are mounted");
  }
  // hwloc falls back to the real machine where it cannot use what the environment asks for.
  if (request && topology.is_this_system() && !is_declared_this_system()) {
    return not_used(*request);
  }
  return topology;
}

bool HwlocTopology::is_this_system() const { return hwloc_topology_is_thissystem(get()) == 1; }

std::vector<hwloc_obj_t> HwlocTopology::objects(hwloc_obj_type_t type) const {
  std::vector<hwloc_obj_t> found;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(get(), type, object)) != nullptr) {
    found.push_back(object);
  }
  return found;
}

CpuList HwlocTopology::online_cpus() const {
  return cpus_in(hwloc_topology_get_topology_cpuset(get()));
}

CpuList HwlocTopology::offline_cpus() const {
  const CpuList all = cpus_in(hwloc_topology_get_complete_cpuset(get()));
  const CpuList online = online_cpus();
  CpuList offline;
  std::set_difference(all.begin(), all.end(), online.begin(), online.end(),
                      std::back_inserter(offline));
  return offline;
}

CpuList cpus_in(hwloc_const_bitmap_t set) {
  CpuList cpus;
  if (set == nullptr || hwloc_bitmap_weight(set) < 0) {  // absent or infinite
    return cpus;
  }
  for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu)) {
    cpus.push_back(cpu);
  }
  return cpus;
}

std::optional<std::string> info_of(hwloc_obj_t object, const char* name) {
  const char* value = object == nullptr ? nullptr : hwloc_obj_get_info_by_name(object, name);
  const std::string_view text = value == nullptr ? "" : trim_blanks(value);
  if (text.empty()) {
    return std::nullopt;
  }
  return std::string(text);
}

}  // namespace streamgage
