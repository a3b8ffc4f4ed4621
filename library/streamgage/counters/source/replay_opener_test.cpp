#include "streamgage/counters/source/replay_opener.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

using testing::HasSubstr;

constexpr const char* kRecording =
    R"({"pmu": "imc", "event": "reads", "cpu": 0, "value": 5, "enabled": 9, "running": 8}
{"pmu": "imc", "event": "reads", "cpu": 4, "open": "EACCES"}

{"pmu": "imc", "event": "reads", "cpu": 0, "error": "EIO"}
)";

CounterRequest request(int cpu) { return {"imc", "reads", "event=1", 14, {}, cpu}; }

TEST(Replay, GivesEachReadingInTurnUntilItEnds) {
  const auto opener = ReplayOpener::from_text(kRecording).value();
  EXPECT_TRUE(opener->is_replay());
  const auto counter = opener->open(request(0)).value();
  const Tally first = counter->read().value();
  EXPECT_EQ(first.count, 5U);
  EXPECT_EQ(first.enabled, 9U);
  EXPECT_EQ(first.running, 8U);
  EXPECT_EQ(counter->read().error(), std::errc::io_error);
  EXPECT_EQ(counter->read().error().value(), ENODATA);
}

TEST(Replay, RefusesWhatWasRefusedOrNotRecorded) {
  const auto opener = ReplayOpener::from_text(kRecording).value();
  EXPECT_EQ(opener->open(request(4)).error(), std::errc::permission_denied);
  EXPECT_EQ(opener->open(request(5)).error(), std::errc::no_such_file_or_directory);
}

TEST(Replay, ReadsAFile) {
  const FakeTree tree;
  tree.write("recording", kRecording);
  EXPECT_TRUE(ReplayOpener::from_file(tree.path("recording")));
  EXPECT_THAT(ReplayOpener::from_file(tree.path("absent")).error().message,
              HasSubstr("cannot be read: No such file"));
}

TEST(Replay, NamesTheLineThatIsWrong) {
  for (
      const char* line :
      {"garbage", "[]", "{}", R"({"pmu": "imc", "event": "reads", "cpu": -1})",
       R"({"pmu": "imc", "event": "reads", "cpu": 0})",
       R"({"pmu": "imc", "event": "reads", "cpu": 0, "value": 1.5, "enabled": 1, "running": 1})",
       R"({"pmu": "imc", "event": "reads", "cpu": 0, "error": "ENOTHING"})",
       R"({"pmu": "imc", "event": "reads", "cpu": 0, "open": 13})",
       R"({"pmu": "imc", "event": "reads", "cpu": 4294967296, "open": "EACCES"})",
       R"({"pmu": "imc", "event": "reads", "cpu": 0, "open": "EIO", "error": "EIO"})",
       R"({"pmu": "imc", "event": "reads", "cpu": 0, "error": "EIO", "value": 1})",
       R"({"pmu": "imc", "event": "reads", "cpu": 0, "value": 1, "enabled": 1, "running": 2})",
       R"({"pmu": "imc", "event": "reads", "cpu": 0, "value": 1, "enabled": 1, "running": 1, "x": 1})"}) {
    const auto opener = ReplayOpener::from_text(std::string("\n") + line + "\n");
    ASSERT_FALSE(opener) << line;
    EXPECT_THAT(opener.error().message, HasSubstr("line 2 of the recording: ")) << line;
    EXPECT_EQ(opener.error().status, ExitStatus::kUsage);
  }
}

TEST(Replay, RefusesWhatNoCounterCanDo) {
  const auto line = [](const std::string& rest) {
    return R"({"pmu": "imc", "event": "reads", "cpu": 0, )" + rest + "}\n";
  };
  const std::string refused = line(R"("open": "EACCES")");
  const std::string failed = line(R"("error": "EIO")");
  const std::string early = line(R"("value": 7, "enabled": 8, "running": 8)");
  const std::string late = line(R"("value": 3, "enabled": 9, "running": 8)");
  const std::string less = line(R"("value": 9, "enabled": 9, "running": 7)");
  EXPECT_TRUE(ReplayOpener::from_text(early + late)) << "a count may wrap around";
  EXPECT_TRUE(ReplayOpener::from_text(refused + refused));
  const std::string told_apart = line(R"("open": "EPERM")");
  for (const std::string& text :
       {refused + early, refused + failed, early + refused, failed + refused, refused + told_apart,
        late + early, early + less, late + failed + early}) {
    const auto opener = ReplayOpener::from_text(text);
    ASSERT_FALSE(opener) << text;
    const auto last = std::count(text.begin(), text.end(), '\n');
    EXPECT_THAT(opener.error().message, HasSubstr(fmt::format("line {} of the recording", last)));
  }
}

TEST(Replay, CountsTheReadingsOfTheCounterThatHasTheMost) {
  EXPECT_EQ(ReplayOpener::from_text(kRecording).value()->readings(), 2U);
  EXPECT_EQ(ReplayOpener::from_text("").value()->readings(), 0U);
}

}  // namespace
}  // namespace streamgage
