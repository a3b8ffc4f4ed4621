#include "streamgage/counters/controllers/controller_plan.hpp"

#include <cstddef>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/counters/testing/example_controllers.hpp"

namespace streamgage {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The codes of one PMU on one CPU, as "read 0x304 x 64".
std::vector<std::string> codes(const ControllerPlan& plan, const std::string& pmu, int cpu) {
  const std::map<Direction, std::string> words{
      {Direction::kRead, "read"}, {Direction::kWrite, "write"}, {Direction::kBoth, "both"}};
  std::vector<std::string> found;
  for (const auto& [counter, request] : plan.counters) {
    if (request.pmu == pmu && request.cpu == cpu) {
      EXPECT_EQ(request.words[1], 0U);
      EXPECT_EQ(request.words[3], 0U);
      const bool second = request.words[2] != 0;
      found.push_back(fmt::format("{} {}{:#x} x {}", words.at(counter.direction),
                                  second ? "config2 " : "", request.words.at(second ? 2 : 0),
                                  counter.bytes_per_count));
    }
  }
  return found;
}

std::set<MemoryDomain> domains_of(const ControllerPlan& plan) {
  std::set<MemoryDomain> domains;
  for (const PlannedCounter& each : plan.counters) {
    domains.insert(each.counter.domain);
  }
  return domains;
}

const std::set<MemoryDomain> kTwoPackages{{0, 0}, {1, 1}};

class Controllers : public testing::Test {
 protected:
  [[nodiscard]] ControllerPlan plan() const { return plan_controllers(tree.roots()); }
  ControllerTree tree;  // NOLINT(cppcoreguidelines-non-private-member-variables-in-classes)
};

TEST_F(Controllers, OfCascadeLakeAreOneEventADirectionAndPackage) {
  write_cascade_lake(tree);
  const auto found = plan();
  EXPECT_THAT(codes(found, "uncore_imc_0", 0), ElementsAre("read 0x304 x 64", "write 0xc04 x 64"));
  EXPECT_THAT(codes(found, "uncore_imc_5", 4), ElementsAre("read 0x304 x 64", "write 0xc04 x 64"));
  EXPECT_EQ(found.counters.size(), 6U * 2 * 2);
  EXPECT_EQ(domains_of(found), kTwoPackages);
  EXPECT_THAT(found.rejected, IsEmpty());
  EXPECT_EQ(found.counters.front().counter.name, "uncore_imc_0/cas_count_read/ on CPU 0");
  EXPECT_EQ(found.counters.front().request.type, 14U);
}

TEST_F(Controllers, OfIceLakeAreNotCountedByTheKernelsWrongMasks) {
  write_ice_lake_with_wrong_masks(tree);
  EXPECT_THAT(codes(plan(), "uncore_imc_7", 0),
              ElementsAre("read 0xf04 x 64", "write 0x3004 x 64"));
}

TEST_F(Controllers, OfSapphireRapidsHaveTheirCodesWhereTheKernelHasNoEvents) {
  write_sapphire_rapids_without_events(tree);
  const auto found = plan();
  EXPECT_THAT(codes(found, "uncore_imc_0", 0),
              ElementsAre("read 0xcf05 x 64", "write 0xf005 x 64"));
  EXPECT_EQ(found.counters.size(), 8U * 2 * 2);
}

TEST_F(Controllers, FreeRunningCountersOfAServerAreNoBandwidth) {
  write_sapphire_rapids_without_events(tree);
  const auto found = plan();
  EXPECT_THAT(codes(found, "uncore_imc_free_running_0", 0), IsEmpty());
  EXPECT_THAT(found.passed_over,
              ElementsAre("uncore_imc_free_running_0: it does not count the memory's traffic on "
                          "this processor (Intel server, Sapphire and Emerald Rapids)"));
}

TEST_F(Controllers, OfGraniteRapidsAreTwoHalfChannelsEach) {
  write_granite_rapids(tree);
  EXPECT_THAT(codes(plan(), "uncore_imc_11", 4),
              ElementsAre("read 0xcf05 x 64", "read 0xcf06 x 64", "write 0xf005 x 64",
                          "write 0xf006 x 64"));
}

TEST_F(Controllers, OfAnOlderClientHave32Bits) {
  write_skylake_client(tree);
  const auto found = plan();
  EXPECT_THAT(codes(found, "uncore_imc", 0), ElementsAre("read 0x1 x 64", "write 0x2 x 64"));
  EXPECT_EQ(found.counters.front().counter.bits, 32);
}

TEST_F(Controllers, OfANewerClientAreItsFreeRunningCountersAndNeverByNameAlone) {
  write_alder_lake(tree);
  const auto found = plan();
  EXPECT_THAT(codes(found, "uncore_imc_free_running_1", 0),
              ElementsAre("read 0x20ff x 64", "write 0x30ff x 64"));
  EXPECT_THAT(codes(found, "uncore_imc_0", 0), IsEmpty());
  EXPECT_EQ(found.counters.size(), 4U);
  EXPECT_EQ(found.passed_over.size(), 2U);
}

TEST_F(Controllers, OfANewerClientWithoutEventsAreRejected) {
  write_alder_lake(tree);
  tree.write_pmu("uncore_imc_free_running_2", 23, "0",
                 {{"event", "config:0-7"}, {"umask", "config:8-15"}}, {});
  EXPECT_THAT(plan().rejected, ElementsAre("uncore_imc_free_running_2: it has no event data_read"));
}

TEST_F(Controllers, OfZen4HaveBuiltInCodesAndOnePackageEach) {
  write_zen_4(tree);
  const auto found = plan();
  EXPECT_THAT(codes(found, "amd_umc_11", 0), ElementsAre("read 0x10a x 64", "write 0x20a x 64"));
  EXPECT_THAT(codes(found, "amd_umc_12", 4), ElementsAre("read 0x10a x 64", "write 0x20a x 64"));
  EXPECT_EQ(found.counters.size(), 48U);
  EXPECT_EQ(domains_of(found), kTwoPackages);
  EXPECT_THAT(found.passed_over, ElementsAre(HasSubstr("amd_df: it does not count")));
}

TEST_F(Controllers, OfZen5AreThoseOfZen4) {
  write_zen_4(tree);
  const auto before = plan();
  tree.write_x86("AuthenticAMD", 0x1a, 0x02);  // EPYC 9005
  const auto found = plan();
  EXPECT_EQ(found.counters.size(), 48U);
  EXPECT_THAT(found.rejected, IsEmpty());
  for (const char* pmu : {"amd_umc_0", "amd_umc_11"}) {
    EXPECT_EQ(codes(found, pmu, 0), codes(before, pmu, 0)) << pmu;
  }
}

TEST_F(Controllers, OfZen3AreEightChannelsOfReadsAndWritesTogether) {
  write_zen_3(tree);
  const auto found = plan();
  EXPECT_THAT(codes(found, "amd_df", 4),
              ElementsAre("both 0x3807 x 64", "both 0x3847 x 64", "both 0x3887 x 64",
                          "both 0x38c7 x 64", "both 0x100003807 x 64", "both 0x100003847 x 64",
                          "both 0x100003887 x 64", "both 0x1000038c7 x 64"));
  EXPECT_TRUE(counts_only_totals(*found.row));
}

TEST_F(Controllers, OfGraceCountReadsBy32BytesAndWritesByBytes) {
  write_grace(tree);
  const auto found = plan();
  EXPECT_THAT(codes(found, "nvidia_scf_pmu_1", 4),
              ElementsAre("read 0x1a5 x 32", "write 0x1db x 1"));
  EXPECT_EQ(domains_of(found), kTwoPackages);
}

TEST_F(Controllers, OfKunpengBelongToANode) {
  write_kunpeng(tree);
  const auto found = plan();
  EXPECT_THAT(codes(found, "hisi_sccl3_ddrc2", 4), ElementsAre("read 0x1 x 32", "write 0x0 x 32"));
  EXPECT_EQ(domains_of(found), (std::set<MemoryDomain>{{{}, 0}, {{}, 1}}));
  EXPECT_THAT(std::string(found.row->caveat), HasSubstr("unconfirmed"));
}

TEST_F(Controllers, OfADmc620DoNotReportTheirPackage) {
  write_dmc620(tree);
  const auto found = plan();
  EXPECT_THAT(codes(found, "arm_dmc620_10008c000", 0), ElementsAre("both config2 0x290 x 64"));
  EXPECT_EQ(domains_of(found), (std::set<MemoryDomain>{{}}));
}

TEST_F(Controllers, OfPowerAreAllPortsOfBothPairs) {
  write_power9(tree);
  const auto found = plan();
  EXPECT_THAT(
      codes(found, "nest_mcs01_imc", 0),
      ElementsAre("read 0x118 x 64", "read 0x120 x 64", "write 0x128 x 64", "write 0x130 x 64"));
  EXPECT_EQ(found.counters.size(), 16U);
}

TEST_F(Controllers, OfWhichOneKindIsMissingAreIncomplete) {
  write_power9(tree);
  std::filesystem::remove_all(tree.path("sys/bus/event_source/devices/nest_mcs23_imc"));
  EXPECT_THAT(plan().rejected, ElementsAre("nest_mcs23_imc: the kernel shows no such PMU"));
}

TEST_F(Controllers, ThatCannotBeReadAreRejectedByNameAndTheOthersAreNot) {
  write_cascade_lake(tree);
  tree.write_pmu_file("uncore_imc_1", "type", "none\n");
  tree.write_pmu_file("uncore_imc_2", "cpumask", "\n");
  tree.write_pmu_file("uncore_imc_3", "format/umask", "config:60-67\n");
  tree.write_pmu_file("uncore_imc_4", "events/cas_count_read", "event=0x04,magic=1\n");
  tree.write_pmu_file("uncore_imc_5", "events/cas_count_write.scale", "0\n");
  const auto found = plan();
  EXPECT_THAT(found.rejected,
              ElementsAre(HasSubstr("uncore_imc_1: type"), HasSubstr("uncore_imc_2: cpumask"),
                          HasSubstr("uncore_imc_3: format/umask"),
                          HasSubstr("uncore_imc_4: events/cas_count_read"),
                          HasSubstr("uncore_imc_5: events/cas_count_write.scale")));
  EXPECT_EQ(found.counters.size(), 4U);
}

TEST_F(Controllers, WithoutACpumaskOrOnCpusThatAreNotThereAreRejected) {
  write_cascade_lake(tree, 1);
  tree.write_pmu_file("uncore_imc_0", "cpumask", "0,99\n");
  EXPECT_THAT(plan().rejected, ElementsAre("uncore_imc_0: cpumask: CPU 99 is not online"));
  std::filesystem::remove(tree.path("sys/bus/event_source/devices/uncore_imc_0/cpumask"));
  EXPECT_THAT(plan().rejected, ElementsAre(HasSubstr("uncore_imc_0: cpumask: it is missing")));
}

TEST_F(Controllers, OfAProcessorThatIsNotKnownAreNotGuessed) {
  write_intel_controllers(tree, 0x1a, 1, {{"cas_count_read", "event=0x04,umask=0x03"}});
  const auto found = plan();
  EXPECT_EQ(found.row, nullptr);
  EXPECT_THAT(found.counters, IsEmpty());
  EXPECT_THAT(found.passed_over,
              ElementsAre("uncore_imc_0: its events are not known for this processor"));
}

TEST_F(Controllers, AreNoneInAGuest) {
  tree.write_x86("AuthenticAMD", 0x1a, 0x02);
  tree.write_pmu_file("msr", "type", "9\n");
  tree.write_pmu_file("cpu", "type", "4\n");
  tree.write_pmu_file("cpu", "events/MEM_ACCESS", "event=0x13\n");
  const auto found = plan();
  EXPECT_THAT(found.counters, IsEmpty());
  EXPECT_THAT(found.rejected, IsEmpty());
  EXPECT_THAT(found.passed_over, IsEmpty());
}

}  // namespace
}  // namespace streamgage
