#include "streamgage/topology/sources/request.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

TEST(Request, NamesTheVariableAndWhatItHolds) {
  const EnvironmentGuard synthetic("HWLOC_SYNTHETIC", std::nullopt);
  const EnvironmentGuard xml("HWLOC_XMLFILE", std::nullopt);
  const EnvironmentGuard root("HWLOC_FSROOT", "/");
  EXPECT_FALSE(find_request());
  const EnvironmentGuard asked("HWLOC_XMLFILE", "node7.xml");
  const auto request = find_request();
  ASSERT_TRUE(request);
  EXPECT_EQ(request->text(), "HWLOC_XMLFILE='node7.xml'");
  EXPECT_EQ(request->rival, std::nullopt);
}

}  // namespace
}  // namespace streamgage
