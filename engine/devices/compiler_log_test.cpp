#include "devices/compiler_log.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(CompilerLog, TheFirstErrorHasTheUsersFileAndItsLine) {
  const std::vector<std::pair<std::string, std::string>> logs{
      // NVRTC.
      {"mine.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n\n"
       "mine.cu(12): error: expected an expression\n      a[i] = b[i] + ;\n",
       "mine.cu:12: expected an expression"},
      {"mine.cu(1): catastrophic error: cannot open source file \"x.h\"\n",
       "mine.cu:1: cannot open source file \"x.h\""},
      // hipRTC, PoCL and other clangs.
      {"2 warnings\n/tmp/comgr-1/input/mine.cu:7:3: error: expected expression.\nx",
       "mine.cu:7: expected expression"},
      {"<kernel>:9:1: fatal error: 'x.h' file not found\n", "mine.cu:9: 'x.h' file not found"},
      {"4:17: error: use of undeclared identifier 'q'\n",
       "mine.cu:4: use of undeclared identifier 'q'"},
      {"1 error generated\nerror: /tmp/pocl-1/x.cl:20:17: expected expression\n",
       "mine.cu:20: expected expression"},
      // Without a line.
      {"ptxas error: no such thing\n", "no such thing"},
      {"it fails.\nand more", "it fails"},
      {"error:", ""},
      {"", ""}};
  for (const auto& [log, said] : logs) {
    EXPECT_EQ(first_error_of(log, "folder/mine.cu"), said) << log;
  }
}

TEST(CompilerLog, WhatControlsATerminalIsEscaped) {
  EXPECT_EQ(first_error_of("mine.cu(2): error: identifier \"\x1b[2J\" is undefined", "mine.cu"),
            "mine.cu:2: identifier \"\\x1b[2J\" is undefined");
  EXPECT_EQ(first_error_of("mine.cu(2): error: no", "\x07mine.cu"), "\\x07mine.cu:2: no");
}

TEST(CompilerLog, ErrorsBehindALongListOfWarningsAreNotCutOff) {
  const std::string warnings(5000, 'w');
  EXPECT_EQ(errors_of(warnings + "\nmine.cu(2): error: no\n"), "mine.cu(2): error: no\n");
  EXPECT_EQ(errors_of("nothing"), "nothing");
  EXPECT_EQ(errors_of(std::string(5000, 'x')).size(), 400U);
}

}  // namespace
}  // namespace streamgage::engine
