#include "streamgage/topology/cores/hwloc_core_kinds.hpp"

#include <hwloc/cpukinds.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "streamgage/topology/cores/sysfs_core_kinds.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

struct FreeBitmap {
  void operator()(hwloc_bitmap_s* bitmap) const noexcept { hwloc_bitmap_free(bitmap); }
};

// A kind as hwloc has it, and what it says of the speed of its CPUs.
struct HwlocKind {
  CoreKind kind;
  std::optional<double> speed;
};

std::optional<HwlocKind> core_kind(const HwlocTopology& topology, unsigned index) {
  const std::unique_ptr<hwloc_bitmap_s, FreeBitmap> cpus(hwloc_bitmap_alloc());
  int efficiency = -1;
  unsigned info_count = 0;
  hwloc_info_s* infos = nullptr;
  if (cpus == nullptr || hwloc_cpukinds_get_info(topology.get(), index, cpus.get(), &efficiency,
                                                 &info_count, &infos, 0) != 0) {
    return std::nullopt;
  }
  HwlocKind found;
  found.kind.cpus = cpus_in(cpus.get());
  if (efficiency >= 0) {
    found.kind.efficiency = efficiency;
  }
  std::map<std::string_view, std::string_view> facts;
  for (unsigned i = 0; i < info_count; ++i) {
    facts.emplace(infos[i].name, infos[i].value);
  }
  if (const auto type = facts.find("CoreType"); type != facts.end()) {
    found.kind.name = type->second;
  }
  for (const char* name : {"LinuxCapacity", "FrequencyMaxMHz"}) {
    const auto fact = facts.find(name);
    const auto number = fact == facts.end() ? std::nullopt : parse_unsigned(fact->second);
    if (number && !found.speed) {
      found.speed = static_cast<double>(*number);
    }
  }
  return found;
}

// hwloc tells kinds apart by capacity and frequency to the last unit, so that one design becomes
// several: kinds of one name are one, and so are those without names that are about as fast.
std::vector<CoreKind> merge_designs(const std::vector<HwlocKind>& found) {
  const bool named = std::all_of(found.begin(), found.end(),
                                 [](const auto& each) { return each.kind.name.has_value(); });
  std::map<int, double> speed_of;
  std::vector<CoreKind> kinds;
  for (const auto& [kind, speed] : found) {
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&, &kind = kind](const auto& each) {
      return named && each.name == kind.name;
    });
    if (same == kinds.end()) {
      kinds.push_back(kind);
    } else {
      same->cpus.insert(same->cpus.end(), kind.cpus.begin(), kind.cpus.end());
      std::sort(same->cpus.begin(), same->cpus.end());
    }
    for (const int cpu : kind.cpus) {
      if (speed) {
        speed_of[cpu] = *speed;
      }
    }
  }
  const bool all_have_speeds =
      std::all_of(found.begin(), found.end(), [](const auto& each) { return each.speed; });
  if (!named && all_have_speeds) {
    return kinds_by_speed(speed_of);
  }
  for (std::size_t rank = 0; rank < kinds.size(); ++rank) {
    if (kinds[rank].efficiency) {  // hwloc lists the slowest first
      kinds[rank].efficiency = static_cast<int>(rank);
    }
  }
  return kinds;
}

}  // namespace

std::vector<CoreKind> find_core_kinds(const HwlocTopology& topology) {
  std::vector<HwlocKind> found;
  const int count = hwloc_cpukinds_get_nr(topology.get(), 0);
  for (int index = 0; index < count; ++index) {
    auto kind = core_kind(topology, static_cast<unsigned>(index));
    if (kind && !kind->kind.cpus.empty()) {
      found.push_back(std::move(*kind));
    }
  }
  auto kinds = merge_designs(found);
  if (kinds.size() < 2) {
    kinds.clear();
  }
  return kinds;
}

}  // namespace streamgage
