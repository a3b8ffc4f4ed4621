// For tests: the kernel's files about CPUs, caches and nodes in a folder of its own. Sets are
// written as lists and as masks; hwloc reads the masks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {

inline CpuList cpus_from(int first, int count, int step = 1) {
  CpuList cpus;
  for (int i = 0; i < count; ++i) {
    cpus.push_back(first + i * step);
  }
  return cpus;
}

class SysfsTree : public FakeTree {
 public:
  SysfsTree() { write("proc/meminfo", "MemTotal: 1048576 kB\nMemAvailable: 524288 kB\n"); }

  void write_online(const std::string& cpus) const {
    write("sys/devices/system/cpu/online", cpus + "\n");
  }

  // The CPUs of one core, in the package of those CPUs.
  void write_core(const CpuList& core, const CpuList& package) const {
    for (const int cpu : core) {
      const std::string folder = cpu_folder_of(cpu) + "/topology/";
      write_set(folder, core, "core_cpus_list", "core_cpus");
      write_set(folder, package, "package_cpus_list", "package_cpus");
      write(folder + "core_id", fmt::format("{}\n", core.front()));
      write(folder + "physical_package_id", fmt::format("{}\n", package.front()));
    }
  }

  // The die of one CPU.
  void write_die(int cpu, const CpuList& die) const {
    const std::string folder = cpu_folder_of(cpu) + "/topology/";
    write_set(folder, die, "die_cpus_list", "die_cpus");
    write(folder + "die_id", fmt::format("{}\n", die.front()));
  }

  // Cache number `index` of all the CPUs that share it.
  void write_cache(int index, int level, const std::string& kind, int kibibytes,
                   const CpuList& cpus) const {
    for (const int cpu : cpus) {
      const std::string folder = fmt::format("{}/cache/index{}/", cpu_folder_of(cpu), index);
      write(folder + "level", fmt::format("{}\n", level));
      write(folder + "type", kind + "\n");
      write(folder + "size", fmt::format("{}K\n", kibibytes));
      write(folder + "coherency_line_size", "64\n");
      write_set(folder, cpus, "shared_cpu_list", "shared_cpu_map");
    }
  }

  void write_node(int node, const CpuList& cpus, std::uint64_t kibibytes,
                  const std::string& distances) const {
    const std::string folder = fmt::format("sys/devices/system/node/node{}/", node);
    write_set(folder, cpus, "cpulist", "cpumap");
    write(folder + "meminfo", fmt::format("Node {} MemTotal: {:>10} kB\n", node, kibibytes));
    write(folder + "distance", distances + "\n");
  }

  void write_online_nodes(const std::string& nodes) const {
    write("sys/devices/system/node/online", nodes + "\n");
  }

  static std::string cpu_folder_of(int cpu) {
    return fmt::format("sys/devices/system/cpu/cpu{}", cpu);
  }

 private:
  // "00000001,0000000f": words of 32 bits, the highest first.
  static std::string mask_of(const CpuList& cpus) {
    constexpr std::size_t kBits = 32;
    std::vector<std::uint32_t> words(1);
    for (const int cpu : cpus) {
      const auto bit = static_cast<std::size_t>(cpu);
      words.resize(std::max(words.size(), bit / kBits + 1));
      words[bit / kBits] |= std::uint32_t{1} << (bit % kBits);
    }
    std::string mask;
    for (auto word = words.rbegin(); word != words.rend(); ++word) {
      mask += fmt::format("{}{:08x}", mask.empty() ? "" : ",", *word);
    }
    return mask;
  }

  void write_set(const std::string& folder, const CpuList& cpus, const std::string& list,
                 const std::string& mask) const {
    write(folder + list, format_cpu_list(cpus) + "\n");
    write(folder + mask, mask_of(cpus) + "\n");
  }
};

}  // namespace streamgage
