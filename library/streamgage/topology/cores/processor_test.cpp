#include "streamgage/topology/cores/processor.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

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

TEST(ProcessorName, OfARiscVWithoutAModelIsItsInstructionSet) {
  EXPECT_EQ(processor_name_in("hart\t: 0\nisa\t\t: rv64imafdc_zicntr_zicsr\nmmu\t: sv39\n"),
            "RISC-V rv64imafdc");
  EXPECT_EQ(processor_name_in("isa\t: rv64imafdcv\nmvendorid\t: 0x5b7\n"),
            "T-Head RISC-V rv64imafdcv");
}

TEST(ProcessorName, OfAnEmulatedProgramIsNotTheHosts) {
  const FakeTree tree;
  EXPECT_EQ(find_processor_name(tree.roots()), std::nullopt);
  tree.write("proc/cpuinfo", "model name\t: AMD EPYC 7451\ncpuid level\t: 13\n");
  EXPECT_EQ(find_processor_name(tree.roots(), Architecture::kX86), "AMD EPYC 7451");
  EXPECT_EQ(find_processor_name(tree.roots(), Architecture::kRiscV),
            "RISC-V, emulated on AMD EPYC 7451");
  tree.write("proc/cpuinfo", "CPU implementer\t: 0x41\nCPU part\t: 0xd4f\n");
  EXPECT_EQ(find_processor_name(tree.roots(), Architecture::kArm), "Arm Neoverse V2");
  EXPECT_EQ(find_processor_name(tree.roots(), Architecture::kX86),
            "x86, emulated on Arm Neoverse V2");
}

TEST(ProcessorName, IsThatOfTheHostWhereTheFileIsAnybodys) {
  const FakeTree tree;
  tree.write("proc/cpuinfo", "cpu model\t: Loongson-3A\n");
  EXPECT_EQ(find_processor_name(tree.roots(), Architecture::kOther), "Loongson-3A");
}

TEST(ProcessorId, IsWhatTheFirstX86CpuSays) {
  const std::string masked =
      "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\n"
      "model name\t: AMD EPYC\nstepping\t: 1\n";
  const auto id = processor_id_in(masked + "\nprocessor\t: 1\nmodel\t\t: 3\n");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->vendor, "AuthenticAMD");
  EXPECT_EQ(id->family, 25);
  EXPECT_EQ(id->model, 17);
  EXPECT_EQ(id->stepping, 1);
  EXPECT_FALSE(processor_id_in("CPU implementer\t: 0x41\nCPU part\t: 0xd4f\n"));
  EXPECT_FALSE(processor_id_in("vendor_id : IBM/S390\n"));
  EXPECT_FALSE(processor_id_in("vendor_id : A\ncpu family : 99999999999\nmodel : 1\n"));
  FakeTree tree;
  tree.write("proc/cpuinfo", masked);
  EXPECT_TRUE(find_processor_id(tree.roots(), Architecture::kX86));
  EXPECT_FALSE(find_processor_id(tree.roots(), Architecture::kRiscV));
}

}  // namespace
}  // namespace streamgage
