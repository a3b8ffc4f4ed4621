// For tests: a hybrid processor in hwloc's XML, as no synthetic description can be. A fast core
// with two hardware threads (CPUs 0-1) and two slower cores (2-3) share an L3; two low-power cores
// (4-5) have an L2 only. CPU 4 is not allowed.
#pragma once

#include <string>

#include <fmt/format.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {

// `cpus` are masks, here and below.
inline std::string xml_object(const std::string& type, int cpus, const std::string& parts = "") {
  return fmt::format(
      R"(<object type={0} cpuset="{1:#x}" complete_cpuset="{1:#x}" nodeset="1" complete_nodeset="1">)"
      "{2}</object>",
      type, cpus, parts);
}

inline std::string xml_cache(int level, int bytes, int cpus, const std::string& parts) {
  return xml_object(
      fmt::format(R"("L{0}Cache" depth="{0}" cache_size="{1}" cache_linesize="64" cache_type="0")",
                  level, bytes),
      cpus, parts);
}

inline std::string xml_core(int number, int first_cpu, int threads = 1) {
  std::string parts;
  for (int cpu = first_cpu; cpu < first_cpu + threads; ++cpu) {
    parts += xml_object(fmt::format(R"("PU" os_index="{}")", cpu), 1 << cpu);
  }
  return xml_object(fmt::format(R"("Core" os_index="{}")", number),
                    ((1 << threads) - 1) << first_cpu, parts);
}

inline std::string xml_kind(int cpus, int efficiency, const std::string& name) {
  return fmt::format(
      R"(<cpukind cpuset="{:#x}" forced_efficiency="{}"><info name="CoreType" value="{}"/></cpukind>)",
      cpus, efficiency, name);
}

// Writes it, and returns the file for HWLOC_XMLFILE.
inline std::string write_hybrid_xml(const FakeTree& tree) {
  constexpr int kMebi = 1 << 20;
  const std::string fast = xml_cache(2, 2 * kMebi, 0x3, xml_core(0, 0, 2));
  const std::string slow = xml_cache(2, 4 * kMebi, 0xc, xml_core(1, 2) + xml_core(2, 3));
  const std::string low = xml_cache(2, 2 * kMebi, 0x30, xml_core(3, 4) + xml_core(4, 5));
  const std::string parts =
      xml_object(R"("NUMANode" os_index="0" local_memory="34359738368")", 0x3f) +
      xml_cache(3, 24 * kMebi, 0xf, fast + slow) + low;
  const std::string machine =
      xml_object(R"("Machine" os_index="0" allowed_cpuset="0x2f" allowed_nodeset="1")", 0x3f,
                 xml_object(R"("Package" os_index="0")", 0x3f, parts));
  const std::string kinds =
      xml_kind(0x30, 0, "LowPower") + xml_kind(0xc, 1, "IntelAtom") + xml_kind(0x3, 2, "IntelCore");
  // hwloc's own reader, which it has where libxml2's is not installed, skips these two as lines.
  const std::string head =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n";
  tree.write("hybrid.xml", head + R"(<topology version="2.0">)" + machine + kinds + "</topology>");
  return tree.path("hybrid.xml");
}

}  // namespace streamgage
