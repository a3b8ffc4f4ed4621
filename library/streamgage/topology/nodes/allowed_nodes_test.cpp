#include "streamgage/topology/nodes/allowed_nodes.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

TEST(AllowedNodes, AreThoseOfTheKernelsStatus) {
  const FakeTree tree;
  EXPECT_EQ(find_allowed_nodes(tree.roots()), std::nullopt);
  tree.write("proc/self/status", "Name:\tx\nMems_allowed_list:\t0-1,4\nx: 1\n");
  EXPECT_EQ(find_allowed_nodes(tree.roots()), (CpuList{0, 1, 4}));
  for (const char* text : {"Name:\tx\n", "Mems_allowed_list:\n", "Mems_allowed_list:\ta-b\n"}) {
    tree.write("proc/self/status", text);
    EXPECT_EQ(find_allowed_nodes(tree.roots()), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace streamgage
