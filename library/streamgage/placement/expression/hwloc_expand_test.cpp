// Expressions over topologies as hwloc describes them, and as the kernel's files do.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/placement/expression/expand.hpp"
#include "streamgage/topology/machine.hpp"
#include "streamgage/topology/testing/example_trees.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"
#include "streamgage/topology/testing/hybrid_xml.hpp"
#include "streamgage/topology/testing/simulated_machine.hpp"

namespace streamgage {
namespace {

std::string cpus_by(const char* text, const Machine& machine) {
  const auto cpus = expand(text, machine, Oversubscribe::kRefused);
  return cpus ? format_cpu_list(*cpus) : cpus.error().message;
}

TEST(SyntheticTopologies, AAndBAreThoseOfTheTable) {
  const Machine a =
      machine_of("HWLOC_SYNTHETIC",
                 "pack:2 numa:1 l3:1 core:4 pu:2(indexes=0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15)");
  EXPECT_EQ(cpus_by("E:N:8:2:4", a), "0,8,2,10,4,12,6,14");
  EXPECT_EQ(cpus_by("S:cbalanced:10", a), "0,8,1-4,12,5-7");
  for (const char* same : {"S1", "D1", "C1", "M1"}) {
    EXPECT_EQ(cpus_by(same, a), "4,12,5,13,6,14,7,15") << same;
  }
  const Machine b = machine_of("HWLOC_SYNTHETIC", "pack:1 numa:2 l3:1 core:4 pu:2");
  EXPECT_EQ(cpus_by("M:scatter", b), "0,8,2,10,4,12,6,14,1,9,3,11,5,13,7,15");
  EXPECT_EQ(cpus_by("C1:0-1", b), "8,10");
}

TEST(SyntheticTopologies, OfTwoEpyc7451HaveEightMemoryDomainsAndSixteenCaches) {
  const Machine epyc = machine_of("HWLOC_SYNTHETIC", "pack:2 numa:4 l3:2 l2:3 core:1 pu:2");
  EXPECT_EQ(cpus_by("M7:0-1", epyc), "84,86");
  EXPECT_EQ(cpus_by("M:scatter:9", epyc), "0,12,24,36,48,60,72,84,2");
  EXPECT_EQ(cpus_by("C15", epyc), "90-95");
  EXPECT_THAT(cpus_by("C16", epyc), testing::HasSubstr("C0 to C15"));
  EXPECT_EQ(cpus_by("E:S1:3:1:2", epyc), "48,50,52");
  EXPECT_EQ(cpus_by("S:cbalanced:4", epyc), "0,2,48,50");
}

TEST(SyntheticTopologies, OfSubNumaClustersHaveDiesAboveDomains) {
  const Machine clusters = machine_of("HWLOC_SYNTHETIC", "pack:2 die:2 numa:2 l3:1 core:2 pu:2");
  EXPECT_EQ(cpus_by("D3:0-3", clusters), "24,26,28,30");
  EXPECT_EQ(cpus_by("M7", clusters), "28-31");
  EXPECT_EQ(cpus_by("D:scatter:4", clusters), "0,8,16,24");
}

TEST(SyntheticTopologies, MayHave1024CpusAndGapsInTheirNodes) {
  const Machine large =
      machine_of("HWLOC_SYNTHETIC", "pack:4 numa:1(indexes=0,8,252,253) l3:1 core:128 pu:2");
  EXPECT_EQ(cpus_by("M3:127,128", large), "1022,769");
  EXPECT_THAT(cpus_by("M252", large), testing::HasSubstr("M0 to M3"));
}

TEST(HybridProcessors, MixThreadsAndCaches) {
  const FakeTree tree;
  const Machine hybrid =
      machine_of("HWLOC_XMLFILE", write_hybrid_xml(tree));  // CPU 4 is not allowed
  EXPECT_EQ(cpus_by("N", hybrid), "0-3,5");
  EXPECT_EQ(cpus_by("N:0-4", hybrid), "0,2-3,5,1");
  EXPECT_EQ(cpus_by("C0", hybrid), "0-3");
  EXPECT_EQ(cpus_by("C1", hybrid), "5");
  EXPECT_EQ(cpus_by("4", hybrid), "1");  // restricted: a plain list counts
}

TEST(KernelFiles, WithOfflineCpusLeaveThemOut) {
  const EnvironmentGuard files_only("HWLOC_COMPONENTS", "-x86");
  const SysfsTree tree;
  write_offline_cpus(tree);
  const Machine machine = machine_of("HWLOC_FSROOT", tree.path(""));
  EXPECT_EQ(cpus_by("S0", machine), "0,8,1,3,11,10");
  EXPECT_EQ(cpus_by("S0:3-5", machine), "10,8,11");  // CPU 10 is its core's only one
}

}  // namespace
}  // namespace streamgage
