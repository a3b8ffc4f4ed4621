#include "streamgage/topology/cores/hwloc_core_kinds.hpp"

#include <hwloc/cpukinds.h>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace streamgage {
namespace {

struct FreeBitmap {
  void operator()(hwloc_bitmap_s* bitmap) const noexcept { hwloc_bitmap_free(bitmap); }
};

std::optional<CoreKind> core_kind(const HwlocTopology& topology, unsigned index) {
  const std::unique_ptr<hwloc_bitmap_s, FreeBitmap> cpus(hwloc_bitmap_alloc());
  int efficiency = -1;
  unsigned info_count = 0;
  hwloc_info_s* infos = nullptr;
  if (cpus == nullptr || hwloc_cpukinds_get_info(topology.get(), index, cpus.get(), &efficiency,
                                                 &info_count, &infos, 0) != 0) {
    return std::nullopt;
  }
  CoreKind kind;
  kind.cpus = cpus_in(cpus.get());
  if (efficiency >= 0) {
    kind.efficiency = efficiency;
  }
  for (unsigned i = 0; i < info_count; ++i) {
    if (std::string_view(infos[i].name) == "CoreType") {
      kind.name = infos[i].value;
    }
  }
  return kind;
}

}  // namespace

std::vector<CoreKind> find_core_kinds(const HwlocTopology& topology) {
  std::vector<CoreKind> kinds;
  const int count = hwloc_cpukinds_get_nr(topology.get(), 0);
  for (int index = 0; index < count; ++index) {
    auto kind = core_kind(topology, static_cast<unsigned>(index));
    if (kind && !kind->cpus.empty()) {
      kinds.push_back(std::move(*kind));
    }
  }
  if (kinds.size() < 2) {
    kinds.clear();
  }
  return kinds;
}

}  // namespace streamgage
