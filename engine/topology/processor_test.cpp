#include "topology/processor.hpp"

#include <gtest/gtest.h>

#include "topology/host/fake_tree.hpp"
#include "topology/hybrid_xml.hpp"

namespace streamgage {
namespace {

TEST(ProcessorName, IsInTheWordsOfEachArchitecture) {
  EXPECT_EQ(processor_name_in("processor\t: 0\nmodel name\t: AMD EPYC 7451 24-Core Processor\n"),
            "AMD EPYC 7451 24-Core Processor");
  EXPECT_EQ(processor_name_in("processor\t: 0\ncpu\t\t: POWER9, altivec supported"),
            "POWER9, altivec supported");
  EXPECT_EQ(processor_name_in("hart\t: 1\nisa\t: rv64imafdc\nuarch\t\t: sifive,u74-mc\n"),
            "sifive,u74-mc");
  EXPECT_EQ(processor_name_in("CPU implementer\t: 0x46\nCPU part\t: 0x001\n"), "Fujitsu A64FX");
  EXPECT_EQ(processor_name_in("CPU implementer\t: 0x41\nCPU part\t: 0xd4f\n"), "Arm Neoverse V2");
}

TEST(ProcessorName, OfAnUnknownArmIsItsNumbers) {
  EXPECT_EQ(processor_name_in("CPU implementer : 0x99\nCPU part : 0x123"),
            "Arm implementer 0x99 part 0x123");
}

TEST(ProcessorName, MayBeUnknown) {
  EXPECT_EQ(processor_name_in(""), std::nullopt);
  EXPECT_EQ(processor_name_in("model name\t:\nflags"), std::nullopt);
}

TEST(ProcessorName, OfAnotherMachineIsNotThisOne) {
  const EnvironmentGuard synthetic("HWLOC_SYNTHETIC", "core:2 pu:1");
  const auto topology = HwlocTopology::load();
  ASSERT_TRUE(topology.has_value());
  EXPECT_EQ(find_processor_name(*topology, {}), std::nullopt);
  EXPECT_TRUE(find_core_kinds(*topology).empty());
}

TEST(CoreKinds, OfAHybridProcessorAreRankedByEfficiency) {
  const FakeTree tree;
  tree.write("hybrid.xml", kHybridXml);
  const EnvironmentGuard xml("HWLOC_XMLFILE", tree.path("hybrid.xml"));
  const auto topology = HwlocTopology::load();
  ASSERT_TRUE(topology.has_value());
  const auto kinds = find_core_kinds(*topology);
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[0].name, "LowPower");
  EXPECT_EQ(kinds[0].cpus, (CpuList{4, 5}));
  EXPECT_EQ(kinds[2].name, "IntelCore");
  EXPECT_EQ(kinds[2].efficiency, 2);
  EXPECT_EQ(kinds[2].cpus, (CpuList{0, 1}));
}

}  // namespace
}  // namespace streamgage
