#include "streamgage/topology/host/frequency.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

void write_policy(const FakeTree& tree, const std::string& name, const std::string& governor,
                  const std::string& limit, const std::string& hardware) {
  const std::string folder = "sys/devices/system/cpu/cpufreq/" + name;
  tree.write(folder + "/scaling_governor", governor + "\n");
  tree.write(folder + "/scaling_max_freq", limit + "\n");
  tree.write(folder + "/cpuinfo_max_freq", hardware + "\n");
}

TEST(Frequency, IsThatOfTheCpusThatAreHeldBackMost) {
  const FakeTree tree;
  write_policy(tree, "policy0", "performance", "3500000", "3500000");
  write_policy(tree, "policy1", "powersave", "2000000", "3500000");
  write_policy(tree, "policy2", "performance", "3000000", "3500000");
  const auto frequency = find_frequency(tree.roots()).value();
  ASSERT_TRUE(frequency);
  EXPECT_EQ(frequency->governor, "powersave");
  EXPECT_EQ(frequency->limit_hertz, 2'000'000'000U);
  EXPECT_EQ(frequency->hardware_hertz, 3'500'000'000U);
  EXPECT_EQ(frequency->boost, std::nullopt);
}

TEST(Frequency, KnowsWhetherBoostIsOnByEitherDriver) {
  const FakeTree tree;
  write_policy(tree, "policy0", "performance", "3500000", "3500000");
  tree.write("sys/devices/system/cpu/cpufreq/boost", "1\n");
  EXPECT_EQ(find_frequency(tree.roots()).value()->boost, true);
  tree.write("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  EXPECT_EQ(find_frequency(tree.roots()).value()->boost, false);
}

TEST(Frequency, IsNoneWhereTheKernelGovernsNone) {
  const FakeTree tree;
  EXPECT_FALSE(find_frequency(tree.roots()));  // /sys is hidden
  tree.write("sys/devices/system/cpu/online", "0\n");
  EXPECT_FALSE(find_frequency(tree.roots()).value().has_value());
  tree.write("sys/devices/system/cpu/cpufreq/boost", "1\n");
  EXPECT_FALSE(find_frequency(tree.roots()).value().has_value());
}

TEST(Frequency, IsUnknownWhereTheFilesAreOfAnotherForm) {
  const FakeTree tree;
  write_policy(tree, "policy0", "performance", "none", "3500000");
  write_policy(tree, "policy1", "performance", "3500000", "0");
  EXPECT_FALSE(find_frequency(tree.roots()));
}

}  // namespace
}  // namespace streamgage
