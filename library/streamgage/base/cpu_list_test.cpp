#include "streamgage/base/cpu_list.hpp"

#include <gtest/gtest.h>

namespace streamgage {
namespace {

TEST(CpuList, KeepsTheOrderWritten) {
  EXPECT_EQ(parse_cpu_list("0,4-6").value(), (CpuList{0, 4, 5, 6}));
  EXPECT_EQ(parse_cpu_list("3-1").value(), (CpuList{3, 2, 1}));
  EXPECT_EQ(parse_cpu_list("7,3,0").value(), (CpuList{7, 3, 0}));
}

TEST(CpuList, NamesThePartThatIsWrong) {
  for (const char* text : {"", ",", "0,", "a", "0-", "-3", "1--2", "0-a", "99999999999", "0 1"}) {
    const auto cpus = parse_cpu_list(text);
    ASSERT_FALSE(cpus.has_value()) << text;
    EXPECT_EQ(cpus.error().status, ExitStatus::kUsage);
  }
  EXPECT_NE(parse_cpu_list("0,4-x").error().message.find("'4-x'"), std::string::npos);
}

TEST(CpuList, FormatsRunsAsRanges) {
  EXPECT_EQ(format_cpu_list({0, 1, 2, 8}), "0-2,8");
  EXPECT_EQ(format_cpu_list({3, 2, 1}), "3,2,1");
  EXPECT_EQ(format_cpu_list({}), "");
}

TEST(CpuList, NamesOneCpuOrSeveral) {
  EXPECT_EQ(name_cpus({3}), "CPU 3");
  EXPECT_EQ(name_cpus({0, 1, 3}), "CPUs 0-1,3");
}

}  // namespace
}  // namespace streamgage
