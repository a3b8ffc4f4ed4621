#include "streamgage/topology/sources/request.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

TEST(Request, NamesTheVariableAndWhatItHolds) {
  const EnvironmentGuard synthetic("HWLOC_SYNTHETIC", std::nullopt);
  const EnvironmentGuard xml("HWLOC_XMLFILE", std::nullopt);
  const EnvironmentGuard root("HWLOC_FSROOT", "/");
  EXPECT_EQ(find_request(), std::nullopt);
  const EnvironmentGuard asked("HWLOC_XMLFILE", "node7.xml");
  EXPECT_EQ(find_request(), "HWLOC_XMLFILE='node7.xml'");
}

}  // namespace
}  // namespace streamgage
