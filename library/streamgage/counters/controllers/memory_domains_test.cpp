#include "streamgage/counters/controllers/memory_domains.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/example_trees.hpp"

namespace streamgage {
namespace {

TEST(MemoryDomains, OfAPackageWithOneNodeAreBoth) {
  const SysfsTree tree;
  write_two_packages_with_smt(tree);
  const MemoryDomains domains(tree.roots());
  EXPECT_EQ(domains.of_cpu(0, DomainScope::kPackage).value(), (MemoryDomain{0, 0}));
  EXPECT_EQ(domains.of_cpu(12, DomainScope::kPackage).value(), (MemoryDomain{1, 1}));
  EXPECT_EQ(domains.of_cpu(12, DomainScope::kNode).value(), (MemoryDomain{{}, 1}));
}

TEST(MemoryDomains, OfAPackageWithSeveralNodesAreThePackageAlone) {
  const SysfsTree tree;
  write_memory_only_nodes(tree);
  const MemoryDomains domains(tree.roots());
  EXPECT_EQ(domains.of_cpu(3, DomainScope::kPackage).value(), (MemoryDomain{0, {}}));
  EXPECT_EQ(domains.of_cpu(3, DomainScope::kNode).value(), (MemoryDomain{{}, 1}));
}

TEST(MemoryDomains, OfAPmuThatReportsNoPlaceAreTheMachine) {
  const SysfsTree two;
  write_two_packages_with_smt(two);
  EXPECT_EQ(MemoryDomains(two.roots()).of_cpu(0, DomainScope::kMachine).value(), MemoryDomain{});
  const SysfsTree one;
  write_hybrid(one);
  EXPECT_EQ(MemoryDomains(one.roots()).of_cpu(0, DomainScope::kMachine).value(),
            (MemoryDomain{0, 0}));
}

TEST(MemoryDomains, OfACpuThatIsOfflineAreAnError) {
  const SysfsTree tree;
  write_offline_cpus(tree);
  const auto domain = MemoryDomains(tree.roots()).of_cpu(2, DomainScope::kPackage);
  ASSERT_FALSE(domain);
  EXPECT_EQ(domain.error().message, "CPU 2 is not online");
}

TEST(MemoryDomains, HaveNames) {
  EXPECT_EQ(name_of({1, 1}), "package 1");
  EXPECT_EQ(name_of({{}, 3}), "node 3");
  EXPECT_EQ(name_of(MemoryDomain{}), "the machine");
}

}  // namespace
}  // namespace streamgage
