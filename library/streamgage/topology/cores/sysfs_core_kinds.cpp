#include "streamgage/topology/cores/sysfs_core_kinds.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "streamgage/topology/cores/processor.hpp"
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

// Favoured cores of one design reach some percent more than the others; designs differ by more.
constexpr double kSameKind = 1.1;

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

// Everything that says how fast a CPU is, where the kernel says it of all CPUs; empty elsewhere.
std::map<int, double> speeds(const FileRoots& roots, const CpuList& online) {
  for (const char* file : {"/cpu_capacity", "/cpufreq/cpuinfo_max_freq"}) {
    std::map<int, double> found;
    for (const int cpu : online) {
      if (const auto speed = pseudo_file_number(cpu_folder(roots, cpu) + file)) {
        found[cpu] = static_cast<double>(*speed);
      }
    }
    if (found.size() == online.size()) {
      return found;
    }
  }
  return {};
}

// "0x00000000410fd871"
std::optional<std::uint64_t> identification(const std::string& path) {
  const auto text = pseudo_file_text(path);
  std::uint64_t value = 0;
  if (!text || !text->starts_with("0x")) {
    return std::nullopt;
  }
  const auto read = std::from_chars(text->data() + 2, text->data() + text->size(), value, 16);
  return read.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

// Of every CPU; empty where the kernel does not say all.
std::map<int, std::string> designs(const FileRoots& roots, const CpuList& online) {
  const auto cpuinfo = read_pseudo_file(roots.proc + "/cpuinfo");
  const auto named = cpuinfo ? core_designs_in(*cpuinfo) : std::map<int, std::string>{};
  std::map<int, std::string> found;
  for (const int cpu : online) {
    if (const auto midr =
            identification(cpu_folder(roots, cpu) + "/regs/identification/midr_el1")) {
      found[cpu] = core_design_of(*midr);
    } else if (const auto name = named.find(cpu); name != named.end()) {
      found[cpu] = name->second;
    } else {
      return {};
    }
  }
  return found;
}

// The slowest first.
std::vector<CoreKind> kinds_by_design(const FileRoots& roots, const CpuList& online) {
  std::map<std::string, CpuList> cpus_of;
  for (const auto& [cpu, design] : designs(roots, online)) {
    cpus_of[design].push_back(cpu);
  }
  const auto speed = speeds(roots, online);
  std::vector<std::pair<double, CoreKind>> ranked;
  for (auto& [design, cpus] : cpus_of) {
    double sum = 0.0;
    for (const int cpu : cpus) {
      sum += speed.empty() ? 0.0 : speed.at(cpu);
    }
    const double mean = sum / static_cast<double>(cpus.size());
    ranked.emplace_back(mean, CoreKind{design, std::nullopt, std::move(cpus)});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<CoreKind> kinds;
  for (auto& [mean, kind] : ranked) {
    if (!speed.empty()) {
      kind.efficiency = static_cast<int>(kinds.size());
    }
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

std::vector<CoreKind> kinds_by_capacity(const FileRoots& roots, const CpuList& online) {
  std::map<int, double> capacities;
  for (const int cpu : online) {
    const auto capacity = pseudo_file_number(cpu_folder(roots, cpu) + "/cpu_capacity");
    if (!capacity) {
      return {};
    }
    capacities[cpu] = static_cast<double>(*capacity);
  }
  return kinds_by_speed(capacities);
}

}  // namespace

std::vector<CoreKind> kinds_by_speed(const std::map<int, double>& speed_of) {
  std::map<double, CpuList> cpus_at;
  for (const auto& [cpu, speed] : speed_of) {
    cpus_at[speed].push_back(cpu);
  }
  std::vector<CoreKind> kinds;
  double last = 0.0;
  for (auto& [speed, cpus] : cpus_at) {
    if (kinds.empty() || speed > kSameKind * last) {
      kinds.push_back({std::nullopt, static_cast<int>(kinds.size()), {}});
    }
    CpuList& members = kinds.back().cpus;
    members.insert(members.end(), cpus.begin(), cpus.end());
    last = speed;
  }
  for (CoreKind& kind : kinds) {
    std::sort(kind.cpus.begin(), kind.cpus.end());
  }
  return kinds;
}

std::vector<CoreKind> read_core_kinds(const FileRoots& roots, const CpuList& online) {
  for (const auto find : {kinds_by_counters, kinds_by_design, kinds_by_capacity}) {
    if (auto kinds = find(roots, online); kinds.size() > 1) {
      return kinds;
    }
  }
  return {};
}

}  // namespace streamgage
