#include "streamgage/counters/source/perf_source.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/counters/source/perf_opener.hpp"
#include "streamgage/counters/source/replay_opener.hpp"
#include "streamgage/counters/testing/example_controllers.hpp"

namespace streamgage {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kNanoseconds = 1'000'000'000;

// Two packages of one controller each (PMU uncore_imc_0), and a recording of it.
class RecordedSource : public testing::Test {
 protected:
  RecordedSource() { write_cascade_lake(tree, 1); }

  void record(const std::string& direction, int cpu, const Tally& tally) {
    text += fmt::format(R"({{"pmu": "uncore_imc_0", "event": "cas_count_{}", "cpu": {}, )"
                        R"("value": {}, "enabled": {}, "running": {}}})"
                        "\n",
                        direction, cpu, tally.count, tally.enabled, tally.running);
  }

  void record(const std::string& direction, int cpu, const std::string& what,
              const std::string& error) {
    text +=
        fmt::format(R"({{"pmu": "uncore_imc_0", "event": "cas_count_{}", "cpu": {}, "{}": "{}"}})"
                    "\n",
                    direction, cpu, what, error);
  }

  // Nothing at first, then that much on every CPU and in either direction.
  void record_a_second(std::uint64_t reads, std::uint64_t writes,
                       std::uint64_t running = kNanoseconds) {
    for (const int cpu : {0, 4}) {
      record("read", cpu, {});
      record("write", cpu, {});
      record("read", cpu, {reads, kNanoseconds, running});
      record("write", cpu, {writes, kNanoseconds, running});
    }
  }

  [[nodiscard]] OpenedSource open() const {
    const auto opener = ReplayOpener::from_text(text).value();
    return open_perf_source(plan_controllers(tree.roots()), *opener, 2);
  }

  // NOLINTBEGIN(cppcoreguidelines-non-private-member-variables-in-classes)
  ControllerTree tree;
  std::string text;
  // NOLINTEND(cppcoreguidelines-non-private-member-variables-in-classes)
};

TEST_F(RecordedSource, GivesReadsAndWritesOfEachPackage) {
  record_a_second(3000, 1000);
  const auto source = open().value();
  EXPECT_EQ(source->name(), "perf uncore_imc (replayed)");
  const Reading before = source->read();
  const Traffic traffic = traffic_between(source->counters(), before, source->read());
  ASSERT_EQ(traffic.domains.size(), 2U);
  for (const DomainTraffic& domain : traffic.domains) {
    EXPECT_DOUBLE_EQ(domain.volume->read.value(), 3000 * 64.0);
    EXPECT_DOUBLE_EQ(domain.volume->written.value(), 1000 * 64.0);
  }
  EXPECT_DOUBLE_EQ(whole_volume(traffic)->total, 8000 * 64.0);
}

TEST_F(RecordedSource, ScalesWhatTookTurns) {
  record_a_second(3000, 1000, kNanoseconds / 4);
  const auto source = open().value();
  const Reading before = source->read();
  const Traffic traffic = traffic_between(source->counters(), before, source->read());
  EXPECT_DOUBLE_EQ(whole_volume(traffic)->total, 4 * 8000 * 64.0);
  EXPECT_DOUBLE_EQ(traffic.running_share, 0.25);
}

TEST_F(RecordedSource, LosesThePackageOfACounterThatDies) {
  record("read", 0, {});
  record("write", 0, {});
  record("read", 4, {});
  record("write", 4, {});
  record("read", 0, {10, kNanoseconds, kNanoseconds});
  record("write", 0, {10, kNanoseconds, kNanoseconds});
  record("read", 4, "error", "ENODEV");
  record("write", 4, {10, kNanoseconds, kNanoseconds});
  const auto source = open().value();
  const Reading before = source->read();
  const Traffic traffic = traffic_between(source->counters(), before, source->read());
  EXPECT_TRUE(traffic.domains[0].volume);
  ASSERT_FALSE(traffic.domains[1].volume);
  EXPECT_EQ(traffic.domains[1].volume.error().message,
            "uncore_imc_0/cas_count_read/ on CPU 4 cannot be read any more: No such device");
  EXPECT_FALSE(whole_volume(traffic));
}

TEST_F(RecordedSource, OfWhichOnePackageWasRefusedIsRejectedByName) {
  record("read", 0, {});
  record("write", 0, {});
  record("read", 4, "open", "EACCES");
  record("write", 4, "open", "EACCES");
  const auto source = open();
  ASSERT_FALSE(source);
  EXPECT_FALSE(source.error().is_absent);
  EXPECT_EQ(source.error().reason,
            "2 of the 4 counters could not be opened, first uncore_imc_0/cas_count_read/ on CPU 4: "
            "Permission denied (kernel.perf_event_paranoid is 2); without them the traffic of "
            "package 1 would be incomplete");
  EXPECT_THAT(source.error().remedy, HasSubstr("kernel.perf_event_paranoid=0"));
}

TEST_F(RecordedSource, ThatWasRefusedAltogetherSaysSoOnce) {
  for (const char* direction : {"read", "write"}) {
    for (const int cpu : {0, 4}) {
      record(direction, cpu, "open", "EPERM");
    }
  }
  EXPECT_EQ(open().error().reason,
            "none of the 4 counters could be opened: Operation not permitted "
            "(kernel.perf_event_paranoid is 2)");
}

TEST_F(RecordedSource, WithAControllerThatCannotBeDescribedIsRejectedByName) {
  record_a_second(1, 1);
  tree.write_pmu_file("uncore_imc_1", "type", "none");
  EXPECT_EQ(open().error().reason,
            "not every controller can be counted: uncore_imc_1: type: 'none' is not a type "
            "number");
}

// Type 2147483000 is none that a kernel has given out.
TEST_F(RecordedSource, OfAPmuThatIsGoneByTheTimeItIsOpenedIsRejected) {
  tree.write_pmu_file("uncore_imc_0", "type", "2147483000\n");
  PerfOpener kernel;
  const auto source = open_perf_source(plan_controllers(tree.roots()), kernel, 2);
  ASSERT_FALSE(source);
  EXPECT_THAT(source.error().reason, HasSubstr("none of the 4 counters could be opened"));
}

}  // namespace
}  // namespace streamgage
