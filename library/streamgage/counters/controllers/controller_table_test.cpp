#include "streamgage/counters/controllers/controller_table.hpp"

#include <gtest/gtest.h>

namespace streamgage {
namespace {

int rows_for(const ProcessorModel& processor) {
  int rows = 0;
  for (const ControllerRow& row : controller_table()) {
    rows += row.applies(processor) ? 1 : 0;
  }
  return rows;
}

std::string_view machine_of(const ProcessorModel& processor) {
  for (const ControllerRow& row : controller_table()) {
    if (row.applies(processor)) {
      return row.machine;
    }
  }
  return "none";
}

TEST(ControllerTable, HasOneRowAtMostForAnX86Processor) {
  for (int model = 0; model < 256; ++model) {
    EXPECT_LE(rows_for({Maker::kIntel, 6, model}), 1) << model;
    for (const int family : {0x17, 0x19, 0x1a}) {
      EXPECT_EQ(rows_for({Maker::kAmd, family, model}), 1) << family << " " << model;
    }
  }
}

TEST(ControllerTable, KnowsProcessorsByTheirModels) {
  EXPECT_EQ(machine_of({Maker::kIntel, 6, 85}), "Intel server, Sandy Bridge to Cascade Lake");
  EXPECT_EQ(machine_of({Maker::kIntel, 6, 106}), "Intel server, Ice Lake");
  EXPECT_EQ(machine_of({Maker::kIntel, 6, 143}), "Intel server, Sapphire and Emerald Rapids");
  EXPECT_EQ(machine_of({Maker::kIntel, 6, 207}), "Intel server, Sapphire and Emerald Rapids");
  EXPECT_EQ(machine_of({Maker::kIntel, 6, 173}), "Intel server, Granite Rapids");
  EXPECT_EQ(machine_of({Maker::kIntel, 6, 94}), "Intel client, Sandy Bridge to Rocket Lake");
  EXPECT_EQ(machine_of({Maker::kIntel, 6, 151}), "Intel client, Tiger Lake and later");
  EXPECT_EQ(machine_of({Maker::kIntel, 15, 85}), "none");
  EXPECT_EQ(machine_of({Maker::kIntel, 6, 26}), "none");
  EXPECT_EQ(machine_of({Maker::kAmd, 0x17, 0x31}), "AMD Zen 1 to 3");       // Rome
  EXPECT_EQ(machine_of({Maker::kAmd, 0x19, 0x01}), "AMD Zen 1 to 3");       // Milan
  EXPECT_EQ(machine_of({Maker::kAmd, 0x19, 0x50}), "AMD Zen 1 to 3");       // Cezanne
  EXPECT_EQ(machine_of({Maker::kAmd, 0x19, 0x11}), "AMD Zen 4 and later");  // Genoa
  EXPECT_EQ(machine_of({Maker::kAmd, 0x19, 0x61}), "AMD Zen 4 and later");  // Raphael
  EXPECT_EQ(machine_of({Maker::kAmd, 0x1a, 0x02}), "AMD Zen 4 and later");  // Turin
  EXPECT_EQ(machine_of({Maker::kAmd, 0x15, 0x02}), "none");
}

TEST(ControllerTable, EveryEventCanBeFound) {
  for (const ControllerRow& row : controller_table()) {
    EXPECT_FALSE(row.missing.empty()) << row.machine;
    EXPECT_TRUE(row.source.starts_with("perf ")) << row.machine;
    for (const ControllerEvent& event : row.events) {
      EXPECT_FALSE(event.alias.empty() && event.terms.empty()) << row.machine;
      EXPECT_FALSE(row.ignores_aliases && event.terms.empty()) << row.machine;
      EXPECT_GT(event.bytes_per_count, 0.0) << row.machine;
    }
  }
}

TEST(PmuPattern, HasNumbersForItsSigns) {
  EXPECT_TRUE(matches_pmu("uncore_imc_#", "uncore_imc_0"));
  EXPECT_TRUE(matches_pmu("uncore_imc_#", "uncore_imc_11"));
  EXPECT_TRUE(matches_pmu("hisi_sccl#_ddrc#", "hisi_sccl11_ddrc3"));
  EXPECT_TRUE(matches_pmu("arm_dmc620_@", "arm_dmc620_10008c000"));
  for (const char* name : {"uncore_imc", "uncore_imc_", "uncore_imc_free_running_0",
                           "uncore_imc_0x", "xuncore_imc_0", "uncore_imc_a", ""}) {
    EXPECT_FALSE(matches_pmu("uncore_imc_#", name)) << name;
  }
  EXPECT_FALSE(matches_pmu("hisi_sccl#_ddrc#", "hisi_sccl1_ddrc3_1"));
  EXPECT_FALSE(matches_pmu("uncore_imc", "uncore_imc_0"));
}

TEST(AliasPattern, HasAnyTextForItsStars) {
  constexpr const char* kReads = "PM_MCS*_128B_RD_DISP_PORT*";
  EXPECT_TRUE(matches_alias(kReads, "PM_MCS01_128B_RD_DISP_PORT23"));
  EXPECT_TRUE(matches_alias("a*", "a"));
  EXPECT_FALSE(matches_alias(kReads, "PM_MCS01_64B_RD_DISP_PORT23"));
  EXPECT_FALSE(matches_alias(kReads, "PM_MCS01_128B_WR_DISP_PORT01"));
  EXPECT_TRUE(matches_alias("*a*b*", "xaxbx"));
  EXPECT_FALSE(matches_alias("*a*b*", "xbxax"));
  EXPECT_FALSE(matches_alias("aa*aa", "aaa"));
  EXPECT_FALSE(matches_alias("a*", "b"));
  EXPECT_FALSE(matches_alias("data_read", "data_reads"));
}

}  // namespace
}  // namespace streamgage
