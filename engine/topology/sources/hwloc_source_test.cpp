#include "topology/sources/hwloc_source.hpp"

#include <gtest/gtest.h>

#include "topology/host/fake_tree.hpp"
#include "topology/hwloc/hybrid_xml.hpp"

namespace streamgage {
namespace {

Machine machine_of(const char* variable, const std::string& value) {
  const EnvironmentGuard guard(variable, value);
  const auto machine = discover_machine();
  if (!machine) {
    ADD_FAILURE() << machine.error().message;
    return {};
  }
  return *machine;
}

TEST(HwlocMachine, OfTwoEpyc7451Has48CoresInEightNodes) {
  const auto machine =
      machine_of("HWLOC_SYNTHETIC", "pack:2 numa:4 l3:2(size=8MiB) l2:3 core:1 pu:2");
  EXPECT_EQ(machine.packages, 2);
  EXPECT_EQ(machine.cores, 48);
  EXPECT_EQ(machine.hardware_threads, 96);
  EXPECT_EQ(machine.threads_per_core, 2);
  EXPECT_EQ(machine.numa_nodes.size(), 8U);
  ASSERT_EQ(machine.allowed.size(), 96U);
  EXPECT_EQ(machine.allowed[94].node, 7);
  EXPECT_EQ(last_level_cache_bytes(machine, machine.allowed_cpus), std::uint64_t{128} << 20U);
}

TEST(HwlocMachine, Of1024CpusIsWhole) {
  const auto machine = machine_of("HWLOC_SYNTHETIC", "pack:4 numa:4 core:32 pu:2");
  EXPECT_EQ(machine.hardware_threads, 1024);
  EXPECT_EQ(machine.allowed.size(), 1024U);
  EXPECT_EQ(machine.allowed_cpus.back(), 1023);
}

TEST(HwlocMachine, CountsTheCpusThatItMayNotUse) {
  const FakeTree tree;
  tree.write("hybrid.xml", kHybridXml);
  const auto machine = machine_of("HWLOC_XMLFILE", tree.path("hybrid.xml"));
  EXPECT_EQ(machine.hardware_threads, 6);
  EXPECT_EQ(machine.allowed_cpus, (CpuList{0, 1, 2, 3, 5}));
  ASSERT_EQ(machine.allowed.size(), 5U);
  EXPECT_EQ(machine.allowed.back().cpu, 5);
  EXPECT_EQ(machine.allowed.back().core, 4);
  EXPECT_EQ(machine.core_kinds.size(), 3U);
  EXPECT_EQ(machine.processor, std::nullopt);
}

}  // namespace
}  // namespace streamgage
