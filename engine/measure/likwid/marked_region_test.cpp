#include "measure/likwid/marked_region.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(MarkedRegions, MarksNothingAndSaysNothingWithoutLikwidPerfctr) {
  // In every build.
  testing::internal::CaptureStderr();
  unsetenv("LIKWID_MODE");  // NOLINT(concurrency-mt-unsafe): before any thread starts
  open_markers();
  const std::string name = "triad_plain";
  start_region(name);
  stop_region(name);
  close_markers();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace streamgage::engine
