#include "streamgage/topology/cores/hwloc_threads.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace streamgage {
namespace {

// Nothing where hwloc puts the CPU into none of the packages that it knows: firmware whose sets of
// CPUs contradict each other. A machine without any is one package.
std::optional<int> package_of(const HwlocTopology& topology, hwloc_obj_t pu) {
  if (hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PACKAGE) < 1) {
    return 0;
  }
  const hwloc_obj* package = hwloc_get_ancestor_obj_by_type(topology.get(), HWLOC_OBJ_PACKAGE, pu);
  return package == nullptr ? std::nullopt
                            : std::optional(static_cast<int>(package->logical_index));
}

// What hwloc reports without a die has one: hwloc leaves out dies that are whole packages.
const hwloc_obj* die_of(const HwlocTopology& topology, hwloc_obj_t pu) {
  const hwloc_obj* die = hwloc_get_ancestor_obj_by_type(topology.get(), HWLOC_OBJ_DIE, pu);
  return die != nullptr ? die
                        : hwloc_get_ancestor_obj_by_type(topology.get(), HWLOC_OBJ_PACKAGE, pu);
}

// Offline siblings do not count: their place in the core is not known.
int rank_in_core(const hwloc_obj* core, int cpu) {
  const CpuList siblings = cpus_in(core->cpuset);
  return static_cast<int>(std::find(siblings.begin(), siblings.end(), cpu) - siblings.begin());
}

}  // namespace

std::vector<HardwareThread> find_hardware_threads(const HwlocTopology& topology) {
  std::vector<HardwareThread> threads;
  std::map<const hwloc_obj*, int> cores;
  std::map<const hwloc_obj*, int> dies;
  const bool has_packages = hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PACKAGE) > 0;
  const auto number = [](std::map<const hwloc_obj*, int>& numbers, const hwloc_obj* object) {
    return numbers.emplace(object, static_cast<int>(numbers.size())).first->second;
  };
  for (hwloc_obj* pu : topology.objects(HWLOC_OBJ_PU)) {
    const hwloc_obj* core = hwloc_get_ancestor_obj_by_type(topology.get(), HWLOC_OBJ_CORE, pu);
    if (core == nullptr) {
      core = pu;
    }
    // Logical order goes core by core, so this is hwloc's own number where it knows all cores.
    const int cpu = static_cast<int>(pu->os_index);
    const hwloc_obj* die = die_of(topology, pu);
    threads.push_back(
        {.cpu = cpu,
         .core = number(cores, core),
         .smt = rank_in_core(core, cpu),
         .package = package_of(topology, pu),
         .node = 0,
         .die = die == nullptr && has_packages ? std::nullopt : std::optional(number(dies, die))});
  }
  std::sort(threads.begin(), threads.end(), [](const auto& a, const auto& b) {
    return std::tie(a.core, a.smt) < std::tie(b.core, b.smt);  // cores go package by package
  });
  return threads;
}

int count_packages(const HwlocTopology& topology) {
  return std::max(1, hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PACKAGE));
}

}  // namespace streamgage
