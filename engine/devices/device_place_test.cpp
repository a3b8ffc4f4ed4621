#include "devices/device_place.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage::engine {
namespace {

TEST(DevicePlace, ItsNodeIsTheOneThatTheSystemSays) {
  const FakeTree tree;
  const std::string root = tree.path("");
  const std::string address = pci_address(0, 0x3b, 0, 1);
  ASSERT_EQ(address, "0000:3b:00.1");
  const std::string file = "sys/bus/pci/devices/" + address + "/numa_node";
  EXPECT_EQ(numa_node_of(address, root), std::nullopt);
  tree.write(file, "-1\n");
  EXPECT_EQ(numa_node_of(address, root), std::nullopt);
  tree.write(file, "3\n");
  EXPECT_EQ(numa_node_of(address, root), 3);
}

}  // namespace
}  // namespace streamgage::engine
