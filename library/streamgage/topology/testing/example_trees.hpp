// For tests: machines that are not at hand, as the kernel would describe them.
#pragma once

#include "streamgage/topology/testing/sysfs_tree.hpp"

namespace streamgage {

// Two packages of four cores; CPU N and N + 8 are siblings, as Linux numbers them on x86.
inline void write_two_packages_with_smt(const SysfsTree& tree) {
  for (int package = 0; package < 2; ++package) {
    CpuList cpus = cpus_from(4 * package, 4);
    const CpuList siblings = cpus_from(4 * package + 8, 4);
    cpus.insert(cpus.end(), siblings.begin(), siblings.end());
    for (int core = 4 * package; core < 4 * package + 4; ++core) {
      const CpuList threads{core, core + 8};
      tree.write_core(threads, cpus);
      tree.write_cache(0, 1, "Data", 32, threads);
      tree.write_cache(1, 1, "Instruction", 64, threads);
      tree.write_cache(2, 2, "Unified", 512, threads);
    }
    tree.write_cache(3, 3, "Unified", 16384, cpus);
    tree.write_node(package, cpus, 4 << 20, package == 0 ? "10 21" : "21 10");
  }
  tree.write_online("0-15");
  tree.write_online_nodes("0-1");
}

// Even CPUs are in one package, odd ones in the other; an L3 is shared by every fourth CPU.
inline void write_interleaved_numbers(const SysfsTree& tree) {
  for (int cpu = 0; cpu < 16; ++cpu) {
    tree.write_core({cpu}, cpus_from(cpu % 2, 8, 2));
    tree.write_cache(0, 1, "Data", 32, {cpu});
  }
  for (int first = 0; first < 4; ++first) {
    tree.write_cache(3, 3, "Unified", 8192, cpus_from(first, 4, 4));
  }
  tree.write_online("0-15");
}

// A package of two nodes with CPUs, two of fast memory next to them, and one of far memory; their
// numbers have gaps.
inline void write_memory_only_nodes(const SysfsTree& tree) {
  for (int core = 0; core < 4; ++core) {
    tree.write_core({core}, cpus_from(0, 4));
    tree.write_cache(0, 1, "Data", 48, {core});
  }
  tree.write_node(0, {0, 1}, 32 << 20, "10 20 13 23 40");
  tree.write_node(1, {2, 3}, 32 << 20, "20 10 23 13 40");
  tree.write_node(2, {}, 16 << 20, "13 23 10 33 50");
  tree.write_node(3, {}, 16 << 20, "23 13 33 10 50");
  tree.write_node(8, {}, 256 << 20, "40 40 50 50 10");
  tree.write_online("0-3");
  tree.write_online_nodes("0-3,8");
}

// A fast core with two hardware threads (0-1) and two slower cores (2-3) share an L3; two low-power
// cores (4-5) have an L2 only.
inline void write_hybrid(const SysfsTree& tree) {
  const CpuList all = cpus_from(0, 6);
  tree.write_core({0, 1}, all);
  tree.write_cache(0, 1, "Data", 48, {0, 1});
  tree.write_cache(2, 2, "Unified", 2048, {0, 1});
  for (int cpu = 2; cpu < 6; ++cpu) {
    tree.write_core({cpu}, all);
    tree.write_cache(0, 1, "Data", 32, {cpu});
  }
  tree.write_cache(2, 2, "Unified", 4096, {2, 3});
  tree.write_cache(2, 2, "Unified", 2048, {4, 5});
  tree.write_cache(3, 3, "Unified", 24576, {0, 1, 2, 3});
  tree.write("sys/devices/cpu_core/cpus", "0-1\n");
  tree.write("sys/devices/cpu_atom/cpus", "2-3\n");
  tree.write("sys/devices/cpu_lowpower/cpus", "4-5\n");
  tree.write_online("0-5");
  tree.write_node(0, all, 16 << 20, "10");
  tree.write_online_nodes("0");
}

// CPU 2 and the sibling of CPU 1 are offline; the sets still name them.
inline void write_offline_cpus(const SysfsTree& tree) {
  write_two_packages_with_smt(tree);
  tree.write_online("0-1,3-8,10-15");
}

// Two packages of two dies of two cores each; the kernel calls a die of its own what shares one.
inline void write_two_dies_a_package(const SysfsTree& tree) {
  for (int cpu = 0; cpu < 8; ++cpu) {
    tree.write_core({cpu}, cpus_from(cpu / 4 * 4, 4));
    tree.write_die(cpu, cpus_from(cpu / 2 * 2, 2));
    tree.write_cache(0, 1, "Data", 48, {cpu});
  }
  tree.write_online("0-7");
  tree.write_node(0, cpus_from(0, 8), 16 << 20, "10");
  tree.write_online_nodes("0");
}

// A node of four CPUs with 16 GiB of fast memory as a cache in front of it, as Xeon Max has in
// cache mode and Optane in memory mode.
inline void write_memory_side_cache(const SysfsTree& tree) {
  const CpuList all = cpus_from(0, 4);
  for (const int cpu : all) {
    tree.write_core({cpu}, all);
    tree.write_cache(0, 1, "Data", 32, {cpu});
  }
  tree.write_cache(3, 3, "Unified", 32768, all);
  tree.write_node(0, all, 256 << 20, "10");
  const std::string cache = "sys/devices/system/node/node0/memory_side_cache/index1/";
  tree.write(cache + "size", "17179869184\n");
  tree.write(cache + "line_size", "64\n");
  tree.write(cache + "indexing", "0\n");
  tree.write(cache + "write_policy", "0\n");
  tree.write_online("0-3");
  tree.write_online_nodes("0");
}

// Arm cores of two designs, whose capacities differ a little within a design.
inline void write_two_arm_designs(const SysfsTree& tree) {
  const CpuList all = cpus_from(0, 8);
  const std::vector<int> capacities{718, 718, 731, 731, 997, 997, 1017, 1024};
  for (const int cpu : all) {
    tree.write_core({cpu}, all);
    tree.write_cache(0, 1, "Data", 64, {cpu});
    const std::string folder = SysfsTree::cpu_folder_of(cpu);
    tree.write(folder + "/cpu_capacity",
               fmt::format("{}\n", capacities.at(static_cast<std::size_t>(cpu))));
    tree.write(folder + "/regs/identification/midr_el1",
               cpu < 4 ? "0x00000000410fd871\n" : "0x00000000410fd851\n");
  }
  tree.write_node(0, all, 16 << 20, "10");
  tree.write_online("0-7");
  tree.write_online_nodes("0");
}

// Two packages of two cores, as the kernel of an IBM z13 describes them: it has files only for the
// caches of single cores, and lists the others in /proc/cpuinfo.
inline void write_s390(const SysfsTree& tree) {
  for (int cpu = 0; cpu < 4; ++cpu) {
    tree.write_core({cpu}, cpus_from(cpu / 2 * 2, 2));
    tree.write_cache(0, 1, "Data", 128, {cpu});
    tree.write_cache(1, 2, "Unified", 2048, {cpu});
  }
  tree.write_online("0-3");
  tree.write("proc/cpuinfo",
             "vendor_id       : IBM/S390\n"
             "# processors    : 4\n"
             "cache0          : level=1 type=Data scope=Private size=128K line_size=256 "
             "associativity=8\n"
             "cache2          : level=2 type=Unified scope=Private size=2048K line_size=256 "
             "associativity=8\n"
             "cache4          : level=3 type=Unified scope=Shared size=65536K line_size=256 "
             "associativity=16\n"
             "cache5          : level=4 type=Unified scope=Shared size=491520K line_size=256 "
             "associativity=30\n"
             "processor 0: version = FF,  identification = 0123,  machine = 2964\n");
}

// A Xeon Phi 7250 in flat mode: its MCDRAM is a node without CPUs.
inline void write_knights_landing(const SysfsTree& tree) {
  const CpuList all = cpus_from(0, 4);
  for (const int cpu : all) {
    tree.write_core({cpu}, all);
    tree.write_cache(0, 1, "Data", 32, {cpu});
  }
  tree.write_node(0, all, 96 << 20, "10 31");
  tree.write_node(1, {}, 16 << 20, "31 10");
  tree.write_online("0-3");
  tree.write_online_nodes("0-1");
  tree.write("proc/cpuinfo",
             "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 87\n"
             "stepping\t: 1\ncpuid level\t: 13\n");
}

// A RISC-V board without SMT, with a kernel that reports nothing but which CPUs are online.
inline void write_bare_board(const SysfsTree& tree) {
  for (int cpu = 0; cpu < 4; ++cpu) {
    tree.write(SysfsTree::cpu_folder_of(cpu) + "/uevent", "DRIVER=cpu\n");
  }
  tree.write_online("0-3");
}

}  // namespace streamgage
