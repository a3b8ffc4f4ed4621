#include "watch/traffic_watch.hpp"

#include <deque>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/counters/testing/made_counters.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

// Gives one reading after the other, as a test wrote them.
class ScriptedSource final : public TrafficSource {
 public:
  ScriptedSource(std::vector<Counter> counters, std::deque<Reading> readings)
      : counters_(std::move(counters)), readings_(std::move(readings)) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::span<const Counter> counters() const override { return counters_; }
  Reading read() override {
    Reading reading = readings_.front();
    readings_.pop_front();
    return reading;
  }

 private:
  std::string name_ = "scripted";
  std::vector<Counter> counters_;
  std::deque<Reading> readings_;
};

class Kept final : public RecordSink {
 public:
  Result<void> write(const Json& record) override {
    records.push_back(record);
    return {};
  }
  std::vector<Json> records;  // NOLINT(cppcoreguidelines-non-private-member-variables-in-classes)
};

class Broken final : public RecordSink {
 public:
  Result<void> write(const Json& /*record*/) override { return failure("the reader has gone"); }
};

// Asks for an end after some readings; `times` are those of the readings, by its own clock.
class ScriptedPace final : public Pace {
 public:
  explicit ScriptedPace(std::deque<double> times) : times_(std::move(times)) {}
  Beat await() override {
    now_ = times_.front();
    times_.pop_front();
    return times_.empty() ? Beat::kLast : Beat::kNext;
  }
  [[nodiscard]] std::optional<double> elapsed() const override { return now_; }

 private:
  std::deque<double> times_;
  double now_ = 0.0;
};

// After so many seconds; it ran for that share of them.
Tally tally(std::uint64_t count, std::uint64_t seconds, double share = 1.0) {
  const std::uint64_t enabled = seconds * kSecondInNanoseconds;
  return {count, enabled, static_cast<std::uint64_t>(share * static_cast<double>(enabled))};
}

struct Watched {
  Result<void> outcome;
  std::vector<Json> intervals;
};

// By a recording's pace, through all of the readings.
Watched watched(const std::vector<Counter>& counters, std::deque<Reading> readings,
                bool is_replayed = false) {
  RecordedPace pace(readings.size());
  const Reading first = readings.front();
  readings.pop_front();
  ScriptedSource source(counters, std::move(readings));
  Kept kept;
  auto outcome = watch_traffic(source, first, pace, kept, is_replayed);
  return {outcome, kept.records};
}

TEST(TrafficWatch, ReportsEveryIntervalWithTheRecordedTimes) {
  const auto [outcome, intervals] =
      watched({counter(Direction::kRead), counter(Direction::kWrite)},
              {Reading{tally(5, 0), tally(7, 0)}, Reading{tally(105, 1), tally(57, 1)},
               Reading{tally(305, 3), tally(57, 3)}});
  EXPECT_TRUE(outcome);
  ASSERT_EQ(intervals.size(), 2U);
  EXPECT_EQ(intervals[0], Json::parse(R"({
    "record": "interval", "start": 0.0, "seconds": 1.0, "source": "scripted", "replayed": false,
    "domains": [{"package": 0, "node": 0, "bytes_read": 6400.0, "bytes_written": 3200.0,
                 "bytes_total": 9600.0, "reason": null}],
    "running_share": 1.0})"));
  EXPECT_EQ(intervals[1]["start"], 1.0);
  EXPECT_EQ(intervals[1]["seconds"], 2.0);
  EXPECT_EQ(intervals[1]["domains"][0]["bytes_read"], 12800.0);
  EXPECT_EQ(intervals[1]["domains"][0]["bytes_written"], 0.0);
}

TEST(TrafficWatch, MarksWhatIsNotThisSystems) {
  const auto [outcome, intervals] =
      watched({counter(Direction::kRead)}, {Reading{tally(0, 0)}, Reading{tally(1, 1)}}, true);
  EXPECT_EQ(intervals.at(0)["replayed"], true);
}

TEST(TrafficWatch, GoesOnThroughACounterThatWraps) {
  const auto [outcome, intervals] =
      watched({counter(Direction::kRead, kFirst, 32)},
              {Reading{tally(0xfffffff0, 1)}, Reading{tally(0x10, 2)}, Reading{tally(0x20, 3)}});
  EXPECT_TRUE(outcome);
  EXPECT_EQ(intervals.at(0)["domains"][0]["bytes_total"], 32 * 64.0);
  EXPECT_EQ(intervals.at(1)["domains"][0]["bytes_total"], 16 * 64.0);
}

TEST(TrafficWatch, ScalesWhatTookTurnsAndSaysSo) {
  const auto [outcome, intervals] =
      watched({counter(Direction::kRead)}, {Reading{tally(0, 0)}, Reading{tally(100, 1, 0.25)}});
  EXPECT_EQ(intervals.at(0)["domains"][0]["bytes_total"], 400 * 64.0);
  EXPECT_EQ(intervals.at(0)["running_share"], 0.25);
}

TEST(TrafficWatch, OfCountsOfBothReportsTheTotalAlone) {
  const auto [outcome, intervals] =
      watched({counter(Direction::kBoth)}, {Reading{tally(0, 0)}, Reading{tally(100, 1)}});
  EXPECT_TRUE(intervals.at(0)["domains"][0]["bytes_read"].is_null());
  EXPECT_EQ(intervals.at(0)["domains"][0]["bytes_total"], 6400.0);
}

TEST(TrafficWatch, GoesOnWhereOneOfTwoPackagesIsLost) {
  const auto [outcome, intervals] =
      watched({counter(Direction::kRead, kFirst), counter(Direction::kRead, kSecond)},
              {Reading{tally(0, 0), tally(0, 0)}, Reading{tally(10, 1), tally(20, 1)},
               Reading{tally(20, 2), failure("its CPU went offline")},
               Reading{tally(30, 3), tally(60, 3)}, Reading{tally(40, 4), tally(80, 4)}});
  EXPECT_TRUE(outcome);
  ASSERT_EQ(intervals.size(), 4U);
  EXPECT_EQ(intervals[0]["domains"][1]["bytes_total"], 20 * 64.0);
  for (const int lost : {1, 2}) {
    EXPECT_EQ(intervals[lost]["domains"][0]["bytes_total"], 10 * 64.0);
    EXPECT_TRUE(intervals[lost]["domains"][1]["bytes_total"].is_null());
    EXPECT_EQ(intervals[lost]["domains"][1]["reason"], "its CPU went offline");
    EXPECT_EQ(intervals[lost]["seconds"], 1.0);
  }
  EXPECT_EQ(intervals[3]["domains"][1]["bytes_total"], 20 * 64.0) << "it came back";
}

TEST(TrafficWatch, EndsWithASentenceWhereNothingIsLeft) {
  const auto [outcome, intervals] =
      watched({counter(Direction::kRead, kFirst), counter(Direction::kRead, kSecond)},
              {Reading{tally(0, 0), tally(0, 0)}, Reading{tally(10, 1), tally(20, 1)},
               Reading{failure("EIO"), failure("EIO")}, Reading{tally(30, 3), tally(60, 3)}});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "scripted no longer reports traffic: EIO");
  EXPECT_EQ(outcome.error().status, ExitStatus::kFailed);
  ASSERT_EQ(intervals.size(), 2U);
  EXPECT_TRUE(intervals[1]["domains"][0]["bytes_total"].is_null());
  EXPECT_EQ(intervals[1]["domains"][1]["reason"], "EIO");
}

// A counter that took turns and had none: time passed, and it did not run.
Tally idle(std::uint64_t count, std::uint64_t seconds, std::uint64_t ran) {
  return {count, seconds * kSecondInNanoseconds, ran * kSecondInNanoseconds};
}

TEST(TrafficWatch, ReportsAnIntervalWithoutATurnTogetherWithTheNext) {
  const auto [outcome, intervals] =
      watched({counter(Direction::kRead), counter(Direction::kWrite)},
              {Reading{tally(0, 0), tally(0, 0)}, Reading{tally(10, 1), tally(5, 1)},
               Reading{tally(20, 2), idle(5, 2, 1)}, Reading{tally(40, 3), idle(25, 3, 2)},
               Reading{tally(50, 4), idle(30, 4, 3)}});
  EXPECT_TRUE(outcome) << outcome.error().message;
  ASSERT_EQ(intervals.size(), 3U);
  EXPECT_EQ(intervals[1]["start"], 1.0);
  EXPECT_EQ(intervals[1]["seconds"], 2.0);
  EXPECT_EQ(intervals[1]["running_share"], 0.5);
  EXPECT_EQ(intervals[1]["domains"][0]["bytes_read"], 30 * 64.0);
  EXPECT_EQ(intervals[1]["domains"][0]["bytes_written"], 2 * 20 * 64.0) << "scaled up";
  EXPECT_EQ(intervals[2]["start"], 3.0);
}

TEST(TrafficWatch, OfARestWithoutATurnReportsNoFigureAndEndsWell) {
  const auto [outcome, intervals] =
      watched({counter(Direction::kRead)},
              {Reading{tally(0, 0)}, Reading{tally(10, 1)}, Reading{idle(10, 2, 1)}});
  EXPECT_TRUE(outcome) << outcome.error().message;
  ASSERT_EQ(intervals.size(), 2U);
  EXPECT_TRUE(intervals[1]["domains"][0]["bytes_total"].is_null());
  EXPECT_EQ(intervals[1]["seconds"], 1.0);
  EXPECT_THAT(intervals[1]["domains"][0]["reason"].get<std::string>(), HasSubstr("did not run"));
}

TEST(TrafficWatch, GoesOnWithACounterThatNeverHasATurn) {
  std::deque<Reading> readings;
  for (std::uint64_t second = 0; second <= 25; ++second) {
    readings.push_back(Reading{tally(10 * second, second), idle(0, second, 0)});
  }
  const auto [outcome, intervals] =
      watched({counter(Direction::kRead, kFirst), counter(Direction::kRead, kSecond)}, readings);
  EXPECT_TRUE(outcome) << outcome.error().message;
  ASSERT_EQ(intervals.size(), 3U);
  EXPECT_EQ(intervals[0]["seconds"], 10.0);
  EXPECT_EQ(intervals[0]["domains"][0]["bytes_total"], 100 * 64.0);
  EXPECT_TRUE(intervals[0]["domains"][1]["bytes_total"].is_null());
  EXPECT_EQ(intervals[2]["start"], 20.0);
  EXPECT_EQ(intervals[2]["seconds"], 5.0);
}

TEST(TrafficWatch, EndsWhereADomainDiesWhileTheOtherIsLost) {
  const auto [outcome, intervals] =
      watched({counter(Direction::kRead, kFirst), counter(Direction::kRead, kSecond)},
              {Reading{tally(0, 0), tally(0, 0)}, Reading{idle(0, 1, 0), failure("EIO")},
               Reading{failure("ENODEV"), failure("EIO")}, Reading{tally(9, 3), tally(9, 3)}});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message, "scripted no longer reports traffic: ENODEV");
  ASSERT_EQ(intervals.size(), 1U);
  EXPECT_EQ(intervals[0]["start"], 0.0);
}

TEST(TrafficWatch, ReportsTheTimeByThePaceWhereTheCountersCannot) {
  ScriptedPace pace({1.0, 2.5});
  ScriptedSource source({counter(Direction::kRead)},
                        {Reading{tally(1, 1)}, Reading{failure("EIO")}});
  Kept kept;
  EXPECT_FALSE(watch_traffic(source, Reading{tally(0, 0)}, pace, kept, false));
  ASSERT_EQ(kept.records.size(), 2U);
  EXPECT_EQ(kept.records[1]["start"], 1.0);
  EXPECT_EQ(kept.records[1]["seconds"], 1.5);
}

TEST(TrafficWatch, ReportsTheRestWhenItIsAskedToEnd) {
  ScriptedPace pace({1.0, 1.5});
  ScriptedSource source({counter(Direction::kRead)},
                        {Reading{tally(1, 1)}, Reading{tally(2, 2)}, Reading{tally(3, 3)}});
  Kept kept;
  EXPECT_TRUE(watch_traffic(source, Reading{tally(0, 0)}, pace, kept, false));
  EXPECT_EQ(kept.records.size(), 2U);
}

TEST(TrafficWatch, EndsWhenItsReaderHasGone) {
  ScriptedPace pace({1.0, 2.0});
  ScriptedSource source({counter(Direction::kRead)}, {Reading{tally(1, 1)}});
  Broken broken;
  const auto outcome = watch_traffic(source, Reading{tally(0, 0)}, pace, broken, false);
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("the reader has gone"));
}

}  // namespace
}  // namespace streamgage::engine
