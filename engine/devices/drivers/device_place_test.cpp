#include "devices/drivers/device_place.hpp"

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

// As the kernel of a divided MI300X has it: HIP gives the partition, the system knows the GPU
// alone.
TEST(DevicePlace, APartitionIsAPartOfTheGpuThatTheSystemKnows) {
  const FakeTree tree;
  const std::string root = tree.path("");
  const std::string folder = "sys/bus/pci/devices/0000:c1:00.0/";
  EXPECT_EQ(address_of_gpu("0000:c1:00.3", root), "0000:c1:00.3");
  tree.write(folder + "numa_node", "1\n");
  EXPECT_EQ(address_of_gpu("0000:c1:00.3", root), "0000:c1:00.0");
  EXPECT_EQ(address_of_gpu("0000:c1:00.0", root), "0000:c1:00.0");
  EXPECT_EQ(partition_of("0000:c1:00.0", root), "");
  tree.write(folder + "current_compute_partition", "SPX\n");
  tree.write(folder + "current_memory_partition", "NPS1\n");
  EXPECT_EQ(partition_of("0000:c1:00.0", root), "");
  tree.write(folder + "current_compute_partition", "CPX\n");
  tree.write(folder + "current_memory_partition", "NPS4\n");
  EXPECT_EQ(partition_of("0000:c1:00.0", root), "CPX/NPS4");
}

}  // namespace
}  // namespace streamgage::engine
