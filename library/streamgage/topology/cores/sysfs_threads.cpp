#include "streamgage/topology/cores/sysfs_threads.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

// A set of CPUs, distinguished from others of a hierarchy by its size and its first CPU; the larger
// first.
using Extent = std::pair<std::ptrdiff_t, int>;

Extent extent_of(const CpuList& cpus) {
  return {-static_cast<std::ptrdiff_t>(cpus.size()), cpus.front()};
}

// Where a CPU is in the hierarchy.
struct Place {
  int cpu = 0;
  int smt = 0;
  Extent core;
  bool core_known = false;
  std::optional<Extent> package;
  std::optional<Extent> die;  // the package where no die of it is reported
  std::set<Extent> around;    // every set that it is in, the widest first
};

// The online CPUs that share `what` with `cpu`; empty where none of the files reports it.
CpuList sharing(const FileRoots& roots, int cpu, const CpuList& online,
                std::initializer_list<const char*> what) {
  for (const char* file : what) {
    if (const auto set = read_number_set(cpu_folder(roots, cpu) + "/topology/" + file)) {
      CpuList cpus = members_online(*set, online);
      if (std::binary_search(cpus.begin(), cpus.end(), cpu)) {
        return cpus;
      }
    }
  }
  return {};
}

// Some guests see dies that are wider than their package; those are none.
bool is_part_of(const CpuList& die, const CpuList& package) {
  return !die.empty() &&
         (package.empty() || std::includes(package.begin(), package.end(), die.begin(), die.end()));
}

Place find_place(const FileRoots& roots, int cpu, const CpuList& online) {
  CpuList core = sharing(roots, cpu, online, {"core_cpus_list", "thread_siblings_list"});
  const bool core_known = !core.empty();
  if (core.empty()) {
    core = {cpu};
  }
  const auto rank = std::find(core.begin(), core.end(), cpu) - core.begin();
  Place place{.cpu = cpu,
              .smt = static_cast<int>(rank),
              .core = extent_of(core),
              .core_known = core_known,
              .package = {},
              .die = {},
              .around = {extent_of(core), extent_of({cpu})}};
  const CpuList package = sharing(roots, cpu, online, {"package_cpus_list", "core_siblings_list"});
  if (!package.empty()) {
    place.package = extent_of(package);
    place.around.insert(*place.package);
  }
  const CpuList die = sharing(roots, cpu, online, {"die_cpus_list"});
  place.die = is_part_of(die, package) ? extent_of(die) : place.package;
  if (!die.empty()) {
    place.around.insert(extent_of(die));
  }
  for (const char* file : {"cluster_cpus_list", "book_siblings_list", "drawer_siblings_list"}) {
    const CpuList cpus = sharing(roots, cpu, online, {file});
    if (!cpus.empty()) {
      place.around.insert(extent_of(cpus));
    }
  }
  return place;
}

// hwloc orders the children of every object by their first CPU. Of two CPUs, the widest sets that
// do not hold both are such children; before them in `around` stand the sets that do.
bool comes_before(const Place& a, const Place& b) {
  return std::lexicographical_compare(a.around.begin(), a.around.end(), b.around.begin(),
                                      b.around.end(), [](const Extent& one, const Extent& other) {
                                        return std::tie(one.second, one.first) <
                                               std::tie(other.second, other.first);
                                      });
}

std::vector<Place> places_in_order(const FileRoots& roots, const CpuList& online,
                                   const std::vector<CpuList>& groups) {
  std::map<int, Place> places;
  for (const int cpu : online) {
    places.emplace(cpu, find_place(roots, cpu, online));
  }
  for (const CpuList& group : groups) {
    for (const int cpu : group) {
      if (const auto place = places.find(cpu); place != places.end()) {
        place->second.around.insert(extent_of(group));
      }
    }
  }
  std::vector<Place> ordered;
  ordered.reserve(places.size());
  for (auto& [cpu, place] : places) {
    ordered.push_back(std::move(place));
  }
  std::sort(ordered.begin(), ordered.end(), comes_before);
  return ordered;
}

}  // namespace

SysfsThreads read_hardware_threads(const FileRoots& roots, const CpuList& online,
                                   const std::vector<CpuList>& groups) {
  std::map<Extent, int> packages;
  std::map<Extent, int> dies;
  std::map<Extent, int> cores;
  SysfsThreads found;
  for (const Place& place : places_in_order(roots, online, groups)) {
    const auto number = [](std::map<Extent, int>& numbers, const Extent& set) {
      return numbers.emplace(set, static_cast<int>(numbers.size())).first->second;
    };
    const auto numbered = [&](std::map<Extent, int>& numbers, const std::optional<Extent>& set) {
      return set ? std::optional(number(numbers, *set)) : std::nullopt;
    };
    found.threads.push_back({.cpu = place.cpu,
                             .core = number(cores, place.core),
                             .smt = place.smt,
                             .package = numbered(packages, place.package),
                             .node = 0,
                             .die = numbered(dies, place.die)});
    found.cores_known = found.cores_known || place.core_known;
  }
  found.packages_known = !packages.empty();
  found.packages = std::max(1, static_cast<int>(packages.size()));
  if (packages.empty()) {  // a machine without any is one package
    for (HardwareThread& thread : found.threads) {
      thread.package = 0;
      thread.die = thread.die.value_or(0);
    }
  }
  std::sort(found.threads.begin(), found.threads.end(), [](const auto& a, const auto& b) {
    return std::tie(a.core, a.smt, a.cpu) < std::tie(b.core, b.smt, b.cpu);
  });
  return found;
}

}  // namespace streamgage
