#include "measure/overdue_end.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include "streamgage/base/testing/new_process.hpp"

namespace streamgage::engine {
namespace {

// Shows the last record on standard error.
class ShownRecords final : public RecordSink {
 public:
  Result<void> write(const Json& /*record*/) override { return {}; }
  void write_last(const Json& record) override { std::cerr << record.dump() << std::flush; }
};

TEST(OverdueEndDeathTest, IsTheRecordOfWhatWentIntoTheRunUntilThen) {
  if (!can_start_itself()) {
    GTEST_SKIP() << "EMULATED: a program may not be able to start itself";
  }
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [] {
    watch_stop_signals();
    ShownRecords records;
    OverdueEnd overdue(records);
    overdue.note({1.5, 0.25, 0.125, 3});
    (void)std::raise(SIGINT);
    for (;;) {
      pause();
    }
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(130),
              "\"record\":\"end\",\"reason\":\"interrupted\",\"message\":null,\"exit_status\":130,"
              "\"stopped_by\":null,\"blocks\":3,.*\"touch_seconds\":1.5,\"tuning_seconds\":0.25,"
              "\"kernel_seconds\":0.125");
}

}  // namespace
}  // namespace streamgage::engine
