// How a session ends before its time: a sink that fails, and signals.
#include <csignal>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/session.hpp"
#include "measure/stop_signal.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_session.hpp"
#include "streamgage/base/testing/new_process.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

// So many are written before the first sample of the first block, and some of its samples: none is
// written by the clock until that block has ended.
constexpr int kRecordsUntilSignal = 15;

TEST(Session, ASinkThatFailsEndsTheRunWithOneSentence) {
  RecordList kept;
  kept.fail_after = 12;
  const auto outcome = run_session(small_machine(), small_plan(), kept);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_status, 1);
  EXPECT_THAT(*outcome->message, HasSubstr("cannot be written"));
}

// In a process of its own: the signal stays noted for the rest of the process, as it should.
TEST(SessionDeathTest, ASignalFinishesTheSampleAndClosesTheRecords) {
  if (!can_start_itself()) {
    GTEST_SKIP() << "EMULATED: a program may not be able to start itself";
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fork would lose the OpenMP threads
  EXPECT_EXIT(
      {
        watch_stop_signals();
        RecordList kept;
        kept.signal_after = kRecordsUntilSignal;
        const auto outcome = run_session(small_machine(), small_plan(), kept);
        std::vector<Json> rest(kept.records.begin() + kRecordsUntilSignal, kept.records.end());
        const bool right = kept.records[kRecordsUntilSignal - 1]["record"] == "sample" &&
                           rest.size() == 2 && rest[0]["record"] == "disturbance" &&
                           rest[1]["record"] == "end" && rest[1]["reason"] == "terminated" &&
                           rest[1]["exit_status"] == 143;
        std::_Exit(right ? outcome->exit_status : 99);
      },
      testing::ExitedWithCode(143), "");
}

TEST(SessionDeathTest, ASignalDuringTheRaceEndsTheRunInOrder) {
  if (!can_start_itself()) {
    GTEST_SKIP() << "EMULATED: a program may not be able to start itself";
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto race_under_a_signal = [] {
    Plan plan = small_plan();
    plan.kernels = {"copy", "triad", "sum"};
    plan.tuning = TuningRequest{60.0, {}};
    RecordList kept;
    kept.signal_after = 8;  // a kernel's record: the race is next
    watch_stop_signals();
    const auto outcome = run_session(small_machine(), plan, kept);
    const bool right =
        outcome && kept.of("sample").empty() && kept.records.back()["reason"] == "terminated";
    std::_Exit(right ? outcome->exit_status : 99);
  };
  EXPECT_EXIT(race_under_a_signal(), testing::ExitedWithCode(143), "");
}

}  // namespace
}  // namespace streamgage::engine
