#include "streamgage/topology/cores/sysfs_core_kinds.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

// Folders of the counters of each kind, from the slowest, and hwloc's names of the kinds.
constexpr std::array kIntelKinds = std::to_array<std::pair<const char*, const char*>>({
    {"cpu_lowpower", "IntelLowPower"},
    {"cpu_atom", "IntelAtom"},
    {"cpu_core", "IntelCore"},
});

std::vector<CoreKind> kinds_by_counters(const FileRoots& roots, const CpuList& online) {
  std::vector<CoreKind> kinds;
  for (const auto& [folder, name] : kIntelKinds) {
    const auto set = read_number_set(roots.sys + "/devices/" + folder + "/cpus");
    CpuList cpus = members_online(set.value_or(CpuList{}), online);
    if (!cpus.empty()) {
      kinds.push_back({name, static_cast<int>(kinds.size()), std::move(cpus)});
    }
  }
  return kinds;
}

std::vector<CoreKind> kinds_by_capacity(const FileRoots& roots, const CpuList& online) {
  std::map<std::uint64_t, CpuList> cpus_by_capacity;
  for (const int cpu : online) {
    const auto capacity = pseudo_file_number(cpu_folder(roots, cpu) + "/cpu_capacity");
    if (!capacity) {
      return {};
    }
    cpus_by_capacity[*capacity].push_back(cpu);
  }
  std::vector<CoreKind> kinds;
  kinds.reserve(cpus_by_capacity.size());
  for (auto& [capacity, cpus] : cpus_by_capacity) {
    kinds.push_back({std::nullopt, static_cast<int>(kinds.size()), std::move(cpus)});
  }
  return kinds;
}

}  // namespace

std::vector<CoreKind> read_core_kinds(const FileRoots& roots, const CpuList& online) {
  auto kinds = kinds_by_counters(roots, online);
  if (kinds.size() < 2) {
    kinds = kinds_by_capacity(roots, online);
  }
  if (kinds.size() < 2) {
    kinds.clear();
  }
  return kinds;
}

}  // namespace streamgage
