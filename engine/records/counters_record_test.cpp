#include "records/counters_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "streamgage/counters/testing/example_controllers.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

TEST(CountersRecord, ReportsSourcesAndEncodings) {
  ControllerTree tree;
  write_zen_3(tree);
  const auto survey = survey_sources({tree.roots(), nullptr, std::nullopt});
  const auto record = to_record(survey, tree.path(""));
  EXPECT_EQ(record["record"], "counters");
  EXPECT_EQ(record["root"], tree.path(""));
  EXPECT_EQ(record["replayed"], false);
  EXPECT_TRUE(record["source"].is_null());
  const auto& source = record["sources"][0];
  EXPECT_EQ(source["source"], "perf amd_df");
  EXPECT_EQ(source["state"], "rejected");
  EXPECT_EQ(source["machine"], "AMD Zen 1 to 3");
  EXPECT_EQ(source["total_only"], true);
  EXPECT_THAT(source["notes"][0].get<std::string>(), HasSubstr("eight events"));
  EXPECT_EQ(source["counters"].size(), 16U);
  EXPECT_EQ(source["counters"][15]["config"][0], "0x1000038c7");
  EXPECT_EQ(source["counters"][15]["direction"], "both");
  EXPECT_EQ(source["counters"][15]["package"], 1);
  EXPECT_TRUE(to_record(survey, std::nullopt)["root"].is_null());
}

}  // namespace
}  // namespace streamgage::engine
