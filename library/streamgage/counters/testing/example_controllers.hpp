// For tests: the memory controllers of machines that are not at hand, as their kernels would
// show them. Each is what the driver in Linux writes; none was recorded.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "streamgage/topology/testing/sysfs_tree.hpp"

namespace streamgage {

// Two packages of one node each: CPUs 0-3 and 4-7.
class ControllerTree : public SysfsTree {
 public:
  ControllerTree() {
    for (const int package : {0, 1}) {
      const CpuList cpus = cpus_from(4 * package, 4);
      for (const int cpu : cpus) {
        write_core({cpu}, cpus);
      }
      write_node(package, cpus, 4 << 20, package == 0 ? "10 21" : "21 10");
    }
    write_online("0-7");
    write_online_nodes("0-1");
  }

  void write_x86(std::string_view vendor, int family, int model) const {
    write("proc/cpuinfo", fmt::format("processor\t: 0\nvendor_id\t: {}\ncpu family\t: {}\n"
                                      "model\t\t: {}\nmodel name\t: made up for a test\n",
                                      vendor, family, model));
  }

  void write_pmu_file(const std::string& pmu, const std::string& file,
                      std::string_view text) const {
    write("sys/bus/event_source/devices/" + pmu + "/" + file, text);
  }

  using Files = std::vector<std::pair<std::string, std::string>>;

  void write_pmu(const std::string& pmu, int type, const std::string& cpumask, const Files& formats,
                 const Files& events) const {
    write_pmu_file(pmu, "type", fmt::format("{}\n", type));
    write_pmu_file(pmu, "cpumask", cpumask + "\n");
    for (const auto& [field, text] : formats) {
      write_pmu_file(pmu, "format/" + field, text + "\n");
    }
    for (const auto& [event, text] : events) {
      write_pmu_file(pmu, "events/" + event, text);
    }
  }
};

inline ControllerTree::Files intel_fields() {
  return {{"event", "config:0-7"},
          {"umask", "config:8-15"},
          {"edge", "config:18"},
          {"inv", "config:23"},
          {"thresh", "config:24-31"}};
}

// Events with the scale and unit that Intel's drivers give them.
inline ControllerTree::Files in_mebibytes(const ControllerTree::Files& events) {
  ControllerTree::Files files;
  for (const auto& [event, terms] : events) {
    files.emplace_back(event, terms);
    files.emplace_back(event + ".scale", "6.103515625e-5");
    files.emplace_back(event + ".unit", "MiB");
  }
  return files;
}

inline void write_intel_controllers(const ControllerTree& tree, int model, int controllers,
                                    const ControllerTree::Files& events) {
  tree.write_x86("GenuineIntel", 6, model);
  for (int i = 0; i < controllers; ++i) {
    tree.write_pmu(fmt::format("uncore_imc_{}", i), 14 + i, "0,4", intel_fields(), events);
  }
}

inline void write_cascade_lake(const ControllerTree& tree, int controllers = 6) {
  write_intel_controllers(tree, 0x55, controllers,
                          in_mebibytes({{"cas_count_read", "event=0x04,umask=0x03"},
                                        {"cas_count_write", "event=0x04,umask=0x0c"}}));
}

// As kernels before 2022 show it: with the unit masks of the processors before.
inline void write_ice_lake_with_wrong_masks(const ControllerTree& tree) {
  write_intel_controllers(tree, 0x6a, 8,
                          in_mebibytes({{"cas_count_read", "event=0x04,umask=0x03"},
                                        {"cas_count_write", "event=0x04,umask=0x0c"}}));
}

// As kernels before 6.4 show it: no events of the controllers. The free-running counters' codes are
// those of a client, and count queue cycles.
inline void write_sapphire_rapids_without_events(const ControllerTree& tree) {
  write_intel_controllers(tree, 0x8f, 8, {{"clockticks", "event=0x01,umask=0x00"}});
  tree.write_pmu("uncore_imc_free_running_0", 40, "0,4", intel_fields(),
                 {{"dclk", "event=0xff,umask=0x10"},
                  {"rpq_cycles", "event=0xff,umask=0x20"},
                  {"wpq_cycles", "event=0xff,umask=0x30"}});
}

inline void write_granite_rapids(const ControllerTree& tree) {
  write_intel_controllers(tree, 0xad, 12,
                          in_mebibytes({{"cas_count_read_sch0", "event=0x05,umask=0xcf"},
                                        {"cas_count_read_sch1", "event=0x06,umask=0xcf"},
                                        {"cas_count_write_sch0", "event=0x05,umask=0xf0"},
                                        {"cas_count_write_sch1", "event=0x06,umask=0xf0"}}));
}

inline void write_skylake_client(const ControllerTree& tree) {
  tree.write_x86("GenuineIntel", 6, 0x5e);
  tree.write_pmu("uncore_imc", 12, "0", {{"event", "config:0-7"}},
                 in_mebibytes({{"data_reads", "event=0x01"}, {"data_writes", "event=0x02"}}));
}

// Its controllers have no events, only free-running counters next to them have.
inline void write_alder_lake(const ControllerTree& tree) {
  write_intel_controllers(tree, 0x97, 2, {});
  for (int i = 0; i < 2; ++i) {
    tree.write_pmu(fmt::format("uncore_imc_free_running_{}", i), 20 + i, "0",
                   {{"event", "config:0-7"}, {"umask", "config:8-15"}},
                   in_mebibytes({{"data_total", "event=0xff,umask=0x10"},
                                 {"data_read", "event=0xff,umask=0x20"},
                                 {"data_write", "event=0xff,umask=0x30"}}));
  }
}

// A PMU a controller, each of one package; no events folder.
inline void write_zen_4(const ControllerTree& tree) {
  tree.write_x86("AuthenticAMD", 0x19, 0x11);
  for (int i = 0; i < 24; ++i) {
    tree.write_pmu(fmt::format("amd_umc_{}", i), 20 + i, i < 12 ? "0" : "4",
                   {{"event", "config:0-7"}, {"rdwrmask", "config:8-9"}}, {});
  }
  tree.write_pmu("amd_df", 12, "0,4",
                 {{"event", "config:0-7,32-37"}, {"umask", "config:8-15,24-27"}}, {});
}

inline void write_zen_3(const ControllerTree& tree) {
  tree.write_x86("AuthenticAMD", 0x19, 0x01);
  tree.write_pmu("amd_df", 12, "0,4",
                 {{"event", "config:0-7,32-35,59-60"}, {"umask", "config:8-15"}}, {});
}

inline void write_grace(const ControllerTree& tree) {
  tree.write("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n");
  for (int i = 0; i < 2; ++i) {
    tree.write_pmu(fmt::format("nvidia_scf_pmu_{}", i), 30 + i, i == 0 ? "0" : "4",
                   {{"event", "config:0-32"}},
                   {{"cmem_rd_data", "event=0x1a5"}, {"cmem_wr_total_bytes", "event=0x1db"}});
  }
}

inline void write_kunpeng(const ControllerTree& tree) {
  tree.write("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x48\nCPU part\t: 0xd01\n");
  for (const int cluster : {1, 3}) {
    for (int i = 0; i < 4; ++i) {
      tree.write_pmu(fmt::format("hisi_sccl{}_ddrc{}", cluster, i), 30 + 4 * cluster + i,
                     cluster == 1 ? "0" : "4", {{"event", "config:0-4"}},
                     {{"flux_wr", "config=0x0"}, {"flux_rd", "config=0x1"}});
    }
  }
}

inline void write_dmc620(const ControllerTree& tree) {
  tree.write("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n");
  int type = 30;
  for (const char* address : {"10008c000", "100a8c000"}) {
    tree.write_pmu(std::string("arm_dmc620_") + address, type++, "0",
                   {{"mask", "config:0-44"},
                    {"match", "config1:0-44"},
                    {"invert", "config2:0"},
                    {"incr", "config2:1-2"},
                    {"event", "config2:3-8"},
                    {"clkdiv2", "config2:9"}},
                   {{"clkdiv2_rdwr", "event=0x12,clkdiv2=0x1"}});
  }
}

inline void write_power9(const ControllerTree& tree) {
  tree.write("proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n");
  int type = 30;
  int code = 0x118;
  for (const char* pair : {"01", "23"}) {
    ControllerTree::Files events;
    for (const char* direction : {"RD", "WR"}) {
      for (const char* port : {"01", "23"}) {
        const auto name = fmt::format("PM_MCS{}_128B_{}_DISP_PORT{}", pair, direction, port);
        events.emplace_back(name, fmt::format("event={:#x}", code));
        code += 8;
      }
    }
    tree.write_pmu(fmt::format("nest_mcs{}_imc", pair), type++, "0,4", {{"event", "config:0-19"}},
                   events);
  }
}

}  // namespace streamgage
