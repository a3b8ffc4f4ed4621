#include "streamgage/counters/survey.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/counters/source/replay_opener.hpp"
#include "streamgage/counters/testing/example_controllers.hpp"

namespace streamgage {
namespace {

using testing::HasSubstr;

// A recording of one controller of Cascade Lake, of two readings a counter.
std::unique_ptr<ReplayOpener> recording() {
  std::string text;
  for (const int second : {0, 1}) {
    for (const int cpu : {0, 4}) {
      for (const char* event : {"cas_count_read", "cas_count_write"}) {
        text +=
            fmt::format(R"({{"pmu": "uncore_imc_0", "event": "{}", "cpu": {}, "value": {}, )"
                        R"("enabled": {}, "running": {}}})"
                        "\n",
                        event, cpu, 1000 * second, 1'000'000'000 * second, 1'000'000'000 * second);
      }
    }
  }
  return ReplayOpener::from_text(text).value();
}

TEST(Survey, OfAGuestSaysThatItIsOne) {
  const ControllerTree tree;
  tree.write_x86("AuthenticAMD", 0x1a, 0x02);
  tree.write("proc/sys/kernel/perf_event_paranoid", "2\n");
  const auto found = survey_sources({tree.roots(), nullptr, "KVM"});
  EXPECT_EQ(found.source, nullptr);
  ASSERT_EQ(found.reports.size(), 2U);
  EXPECT_EQ(found.reports[0].state, SourceState::kAbsent);
  EXPECT_EQ(found.reports[0].reason,
            "this is a guest of KVM, which shows no memory controller's PMU");
  EXPECT_THAT(found.reports[0].remedy, HasSubstr("bare machine"));
  EXPECT_EQ(found.reports[1].name, "resctrl");
  EXPECT_EQ(found.reports[1].state, SourceState::kAbsent);
  EXPECT_EQ(found.paranoid_level, 2);
}

TEST(Survey, OfABareMachineNamesTheModuleThatIsMissing) {
  const ControllerTree tree;
  tree.write_x86("AuthenticAMD", 0x1a, 0x02);
  const auto found = survey_sources({tree.roots(), nullptr, std::nullopt});
  EXPECT_THAT(found.reports[0].reason, HasSubstr("(AMD Zen 4 and later)"));
  EXPECT_THAT(found.reports[0].remedy, HasSubstr("amd_uncore"));
}

TEST(Survey, OfAnUnknownProcessorSaysSo) {
  const ControllerTree tree;
  const auto found = survey_sources({tree.roots(), nullptr, std::nullopt});
  EXPECT_EQ(found.reports[0].name, "perf uncore");
  EXPECT_THAT(found.reports[0].reason, HasSubstr("that is known for this processor"));
}

TEST(Survey, OfAnUnknownX86DoesNotAdviseModulesOfArm) {
  for (const char* vendor : {"GenuineIntel", "AuthenticAMD", "HygonGenuine"}) {
    const ControllerTree tree;
    tree.write_x86(vendor, 0x6, 0xaf);
    const auto found = survey_sources({tree.roots(), nullptr, std::nullopt});
    EXPECT_THAT(found.reports[0].remedy, HasSubstr("model 0xaf")) << vendor;
    EXPECT_THAT(found.reports[0].remedy, testing::Not(HasSubstr("nvidia"))) << vendor;
  }
  const ControllerTree arm;
  const auto found = survey_sources({arm.roots(), nullptr, std::nullopt});
  EXPECT_THAT(found.reports[0].remedy, HasSubstr("arm_dmc620_pmu"));
}

TEST(Survey, TakesTheFirstSourceThatOpens) {
  ControllerTree tree;
  write_cascade_lake(tree, 1);
  const auto opener = recording();
  const auto found = survey_sources({tree.roots(), opener.get(), std::nullopt});
  EXPECT_EQ(found.reports[0].state, SourceState::kAvailable);
  EXPECT_TRUE(found.is_replayed);
  ASSERT_NE(found.source, nullptr);
  EXPECT_EQ(found.source->name(), "perf uncore_imc (replayed)");
  const Reading before = found.source->read();
  const Traffic traffic = traffic_between(found.source->counters(), before, found.source->read());
  EXPECT_DOUBLE_EQ(whole_volume(traffic)->total, 4 * 64'000.0);
}

TEST(Survey, OffersResctrlWhereTheControllersAreRejected) {
  ControllerTree tree;
  write_cascade_lake(tree, 2);  // the second was not recorded
  for (const int cpu : {0, 4}) {
    const auto cache = fmt::format("sys/devices/system/cpu/cpu{}/cache/index3/", cpu);
    tree.write(cache + "level", "3\n");
    tree.write(cache + "id", fmt::format("{}\n", cpu / 4));
    tree.write(fmt::format("sys/fs/resctrl/mon_data/mon_L3_{:02}/mbm_total_bytes", cpu / 4), "5\n");
  }
  const auto opener = recording();
  const auto found = survey_sources({tree.roots(), opener.get(), std::nullopt});
  EXPECT_EQ(found.reports[0].state, SourceState::kRejected);
  EXPECT_THAT(found.reports[0].reason, HasSubstr("first uncore_imc_1/"));
  EXPECT_EQ(found.reports[1].state, SourceState::kAvailable);
  EXPECT_EQ(found.source->name(), "resctrl");
}

TEST(Survey, DoesNotOpenPmusThatAreNotThisSystems) {
  ControllerTree tree;
  write_cascade_lake(tree, 1);
  const auto found = survey_sources({tree.roots(), nullptr, std::nullopt});
  EXPECT_EQ(found.reports[0].state, SourceState::kRejected);
  EXPECT_THAT(found.reports[0].reason, HasSubstr("not this system's"));
  tree.write_pmu_file("uncore_imc_0", "type", "none");
  const auto broken = survey_sources({tree.roots(), nullptr, std::nullopt});
  EXPECT_THAT(broken.reports[0].reason, HasSubstr("uncore_imc_0: type"));
}

}  // namespace
}  // namespace streamgage
