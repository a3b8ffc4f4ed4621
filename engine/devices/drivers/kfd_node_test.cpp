#include "devices/drivers/kfd_node.hpp"

#include <string>

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage::engine {
namespace {

class KfdNodes : public testing::Test {
 protected:
  void SetUp() override {
    write("0/properties", "cpu_cores_count 64\nsimd_count 0\nlocation_id 0\ndomain 0\n");
    write("1/properties",
          "simd_count 1216\nlocation_id 49408\ndomain 1\ngfx_target_version 90402\n"
          "unique_id 12345678901234567890\n");
    write("1/caches/0/properties", "processor_id_low 0\nlevel 1\nsize 32\n");
    write("1/caches/1/properties", "level 2\nsize 4096\nsibling_map 1,1,1,0\n");
    write("1/caches/2/properties", "level 3\nsize 262144\n");
    write("2/properties",
          "simd_count 440\nlocation_id 49408\ndomain 0\ngfx_target_version 90010\n");
  }

  void write(const std::string& name, const std::string& text) const {
    tree_.write("nodes/" + name, text);
  }

  [[nodiscard]] std::optional<KfdNode> find(const std::string& address) const {
    return find_kfd_node(address, tree_.path("nodes"));
  }

  FakeTree tree_;
};

TEST_F(KfdNodes, AGpuIsFoundByItsAddressWithItsLargestCache) {
  const auto node = find("0001:c1:00.0");
  ASSERT_TRUE(node);
  EXPECT_EQ(node->architecture, "gfx942");
  EXPECT_EQ(node->cache_bytes, std::uint64_t{256} << 20U);
}

TEST_F(KfdNodes, OneWithoutAListOfCachesHasNone) {
  const auto node = find("0000:c1:00.0");
  ASSERT_TRUE(node);
  EXPECT_EQ(node->architecture, "gfx90a");
  EXPECT_EQ(node->cache_bytes, 0U);
}

TEST_F(KfdNodes, WhatIsNoGpuOfThisMachineIsNotFound) {
  for (const char* const address : {"0000:c2:00.0", "0000:00:00.0", "", "c1:00", "0000:xx:00.0"}) {
    EXPECT_FALSE(find(address)) << address;
  }
  EXPECT_FALSE(find_kfd_node("0000:c1:00.0", "/nonexistent"));
}

}  // namespace
}  // namespace streamgage::engine
