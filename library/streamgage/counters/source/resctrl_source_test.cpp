#include "streamgage/counters/source/resctrl_source.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/counters/testing/example_controllers.hpp"

namespace streamgage {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

// Two packages, each with one last-level cache; resctrl numbers them 0 and 1.
class Resctrl : public testing::Test {
 protected:
  Resctrl() {
    for (int cpu = 0; cpu < 8; ++cpu) {
      const auto cache = fmt::format("sys/devices/system/cpu/cpu{}/cache/index3/", cpu);
      tree_.write(cache + "level", "3\n");
      tree_.write(cache + "id", fmt::format("{}\n", cpu / 4));
    }
    tree_.write("sys/fs/resctrl/info/L3_MON/num_rmids", "176\n");
    count("", 0, "1000");
    count("", 1, "2000");
  }

  void count(const std::string& group, int cache, const std::string& text,
             const std::string& local = "1") const {
    const auto folder = fmt::format("sys/fs/resctrl/{}mon_data/mon_L3_{:02}/", group, cache);
    tree_.write(folder + "mbm_total_bytes", text + "\n");
    tree_.write(folder + "mbm_local_bytes", local + "\n");
    tree_.write(folder + "llc_occupancy", "4096\n");
  }

  [[nodiscard]] OpenedSource open() const { return open_resctrl_source(tree_.roots()); }
  [[nodiscard]] const ControllerTree& tree() const { return tree_; }

 private:
  ControllerTree tree_;
};

TEST_F(Resctrl, CountsReadsAndWritesOfEachPackageTogether) {
  const auto source = open().value();
  EXPECT_EQ(source->name(), "resctrl");
  const Reading before = source->read();
  count("", 0, "6000");
  count("", 1, "2500");
  const Traffic traffic = traffic_between(source->counters(), before, source->read());
  ASSERT_EQ(traffic.domains.size(), 2U);
  EXPECT_EQ(traffic.domains[0].domain, (MemoryDomain{0, 0}));
  EXPECT_EQ(traffic.domains[0].volume->read, std::nullopt);
  EXPECT_DOUBLE_EQ(traffic.domains[0].volume->total, 5000.0);
  EXPECT_DOUBLE_EQ(traffic.domains[1].volume->total, 500.0);
  EXPECT_GT(traffic.seconds, 0.0);
  EXPECT_DOUBLE_EQ(traffic.running_share, 1.0);
}

TEST_F(Resctrl, TellsLocalBytesFromThoseOfOtherNodes) {
  count("batch/", 0, "10", "5");
  count("batch/", 1, "20", "5");
  const auto source = open().value();
  const Reading before = source->read();
  count("", 0, "6000", "4001");
  count("batch/", 0, "1010", "505");
  count("", 1, "2500", "1");
  const Traffic traffic = traffic_between(source->counters(), before, source->read());
  EXPECT_DOUBLE_EQ(traffic.domains[0].volume->total, 6000.0);
  EXPECT_DOUBLE_EQ(traffic.domains[0].volume->local.value(), 4500.0);
  EXPECT_DOUBLE_EQ(traffic.domains[1].volume->local.value(), 0.0);
  EXPECT_DOUBLE_EQ(whole_volume(traffic)->local.value(), 4500.0);
}

TEST_F(Resctrl, SaysNothingOfLocalBytesWhereOneCacheDoesNotCountThem) {
  count("", 1, "2000", "Unavailable");
  const auto source = open().value();
  const Reading before = source->read();
  count("", 0, "6000", "4001");
  const Traffic traffic = traffic_between(source->counters(), before, source->read());
  EXPECT_DOUBLE_EQ(traffic.domains[0].volume->total, 5000.0);
  EXPECT_EQ(traffic.domains[0].volume->local, std::nullopt);
}

TEST_F(Resctrl, KeepsTheTotalWhereLocalBytesAreLost) {
  const auto source = open().value();
  const Reading before = source->read();
  count("", 0, "6000", "Unavailable");
  const Traffic traffic = traffic_between(source->counters(), before, source->read());
  EXPECT_DOUBLE_EQ(traffic.domains[0].volume->total, 5000.0);
  EXPECT_EQ(traffic.domains[0].volume->local, std::nullopt);
  EXPECT_EQ(whole_volume(traffic)->local, std::nullopt);
}

TEST_F(Resctrl, CountsWhatOtherControlGroupsMoveToo) {
  count("batch/", 0, "10");
  count("batch/", 1, "20");
  const auto source = open().value();
  const Reading before = source->read();
  count("batch/", 1, "70");
  const Traffic traffic = traffic_between(source->counters(), before, source->read());
  EXPECT_DOUBLE_EQ(traffic.domains[1].volume->total, 50.0);
}

TEST_F(Resctrl, LosesEverythingWhereGroupsComeOrGo) {
  const auto source = open().value();
  const Reading before = source->read();
  count("batch/", 0, "10");
  const Traffic traffic = traffic_between(source->counters(), before, source->read());
  EXPECT_THAT(whole_volume(traffic).error().message, HasSubstr("groups were made or removed"));
}

TEST_F(Resctrl, UnavailableIsNoNumber) {
  const auto source = open().value();
  const Reading before = source->read();
  count("", 1, "Unavailable");
  const Traffic traffic = traffic_between(source->counters(), before, source->read());
  EXPECT_TRUE(traffic.domains[0].volume);
  EXPECT_THAT(traffic.domains[1].volume.error().message,
              EndsWith("mon_L3_01/mbm_total_bytes: it says 'Unavailable' instead of bytes"));
  const auto again = open();
  ASSERT_FALSE(again);
  EXPECT_FALSE(again.error().is_absent);
  EXPECT_THAT(again.error().reason, HasSubstr("it says 'Unavailable'"));
}

TEST_F(Resctrl, IsReadAgainShortlyAfterWhereItIsUnavailableAtFirst) {
  count("", 0, "Unavailable");
  int pauses = 0;
  const auto source = open_resctrl_source(tree().roots(), [&] {
    ++pauses;
    count("", 0, "1000");
  });
  ASSERT_TRUE(source) << source.error().reason;
  EXPECT_EQ(pauses, 1);
  EXPECT_EQ((*source)->read()[0]->count, 1000U);
  count("", 1, "Unavailable");
  const auto never = open_resctrl_source(tree().roots(), [&] { ++pauses; });
  ASSERT_FALSE(never);
  EXPECT_EQ(pauses, 2) << "once";
}

TEST_F(Resctrl, ThatCountsOnlyLocalTrafficIsRejected) {
  std::filesystem::remove(tree().path("sys/fs/resctrl/mon_data/mon_L3_00/mbm_total_bytes"));
  EXPECT_THAT(open().error().reason, HasSubstr("mbm_total_bytes: No such file"));
}

TEST_F(Resctrl, OfACacheWithoutACpuIsRejected) {
  count("", 7, "1");
  EXPECT_THAT(open().error().reason, HasSubstr("no CPU belongs to last-level cache 7"));
}

TEST(NoResctrl, IsAbsentWithWhatWouldBringIt) {
  const ControllerTree tree;
  EXPECT_TRUE(open_resctrl_source(tree.roots()).error().is_absent);
  EXPECT_THAT(open_resctrl_source(tree.roots()).error().remedy, HasSubstr("cqm_mbm_total"));
  std::filesystem::create_directories(tree.path("sys/fs/resctrl"));
  EXPECT_THAT(open_resctrl_source(tree.roots()).error().remedy,
              HasSubstr("mount -t resctrl resctrl"));
  std::filesystem::create_directories(tree.path("sys/fs/resctrl/info"));
  EXPECT_THAT(open_resctrl_source(tree.roots()).error().reason, HasSubstr("monitors nothing"));
  std::filesystem::create_directories(tree.path("sys/fs/resctrl/mon_data"));
  EXPECT_FALSE(open_resctrl_source(tree.roots()).error().is_absent);
}

}  // namespace
}  // namespace streamgage
