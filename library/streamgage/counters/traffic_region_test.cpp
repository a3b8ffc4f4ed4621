#include "streamgage/counters/traffic_region.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/counters/testing/example_controllers.hpp"

namespace streamgage {
namespace {

using testing::HasSubstr;

// Three readings of each counter of one controller of Cascade Lake's two packages.
std::string write_recording(const ControllerTree& tree) {
  const std::string path = tree.roots().sys + "/recording.jsonl";
  std::ofstream file(path);
  for (const int second : {0, 1, 3}) {
    for (const int cpu : {0, 4}) {
      for (const char* event : {"cas_count_read", "cas_count_write"}) {
        const int lines = (std::string(event) == "cas_count_read" ? 1000 : 500) * second;
        file << fmt::format(
            R"({{"pmu": "uncore_imc_0", "event": "{}", "cpu": {}, "value": {}, "enabled": {}, )"
            R"("running": {}}})"
            "\n",
            event, cpu, lines, 1'000'000'000LL * second, 1'000'000'000LL * second);
      }
    }
  }
  return path;
}

// The folder above proc/ and sys/.
std::string root_of(const ControllerTree& tree) {
  const std::string sys = tree.roots().sys;
  return sys.substr(0, sys.rfind('/'));
}

TEST(TrafficRegion, CountsWhatLiesBetweenStartAndStop) {
  ControllerTree tree;
  write_cascade_lake(tree, 1);
  auto region = TrafficRegion::replay(root_of(tree), write_recording(tree));
  ASSERT_TRUE(region) << region.error().message;
  EXPECT_TRUE(region->is_counting());
  EXPECT_EQ(region->source(), "perf uncore_imc (replayed)");
  EXPECT_EQ(region->why_not(), "");
  EXPECT_THAT(region->volume().error().message, HasSubstr("nothing was counted yet"));
  region->start();
  region->stop();
  const auto volume = region->volume();
  ASSERT_TRUE(volume);
  EXPECT_DOUBLE_EQ(*volume->read, 2 * 64'000.0);
  EXPECT_DOUBLE_EQ(*volume->written, 2 * 32'000.0);
  EXPECT_DOUBLE_EQ(volume->total, 3 * 64'000.0);
  const Traffic traffic = region->traffic();
  ASSERT_EQ(traffic.domains.size(), 2U);
  EXPECT_EQ(traffic.domains[1].domain.package, 1);
  EXPECT_DOUBLE_EQ(traffic.seconds, 1.0);
}

TEST(TrafficRegion, SaysWhyACounterReportsNothingAnyMore) {
  ControllerTree tree;
  write_cascade_lake(tree, 1);
  auto region = TrafficRegion::replay(root_of(tree), write_recording(tree));
  ASSERT_TRUE(region);
  for (int pair = 0; pair < 2; ++pair) {  // more than was recorded
    region->start();
    region->stop();
  }
  EXPECT_FALSE(region->volume());
  EXPECT_NE(region->volume().error().message, "");
}

TEST(TrafficRegion, WithoutASourceReportsWhyAndWhatWouldHelp) {
  const ControllerTree tree;
  tree.write_x86("AuthenticAMD", 0x1a, 0x02);
  TrafficRegion region(survey_sources({tree.roots(), nullptr, "KVM"}));
  EXPECT_FALSE(region.is_counting());
  EXPECT_THAT(region.why_not(), HasSubstr(": this is a guest of KVM, which shows no memory"));
  EXPECT_THAT(region.why_not(), HasSubstr("; resctrl: "));
  EXPECT_THAT(region.remedy(), HasSubstr("bare machine"));
  region.start();
  region.stop();
  EXPECT_EQ(region.volume().error().message, region.why_not());
  EXPECT_TRUE(region.traffic().domains.empty());
}

TEST(TrafficRegion, OfThisSystemCountsOrSaysWhyNot) {
  TrafficRegion region = TrafficRegion::open();
  EXPECT_NE(region.is_counting(), region.why_not().size() > 10);
  EXPECT_EQ(region.reports().size(), 2U);
}

TEST(TrafficRegion, ARecordingThatIsNotThereIsAnError) {
  EXPECT_FALSE(TrafficRegion::replay("/nowhere", "/nowhere/recording.jsonl"));
}

}  // namespace
}  // namespace streamgage
