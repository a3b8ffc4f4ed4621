#include "streamgage/topology/sources/hwloc_source.hpp"

#include <filesystem>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "streamgage/topology/sources/sysfs_source.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"
#include "streamgage/topology/testing/example_trees.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"
#include "streamgage/topology/testing/hybrid_xml.hpp"
#include "streamgage/topology/testing/simulated_machine.hpp"

namespace streamgage {
namespace {

TEST(HwlocMachine, OfTwoEpyc7451Has48CoresInEightNodes) {
  const auto machine =
      machine_of("HWLOC_SYNTHETIC", "pack:2 numa:4 l3:2(size=8MiB) l2:3 core:1 pu:2");
  EXPECT_EQ(machine.packages, 2);
  EXPECT_EQ(machine.cores, 48);
  EXPECT_EQ(machine.hardware_threads, 96);
  EXPECT_EQ(machine.threads_per_core, 2);
  EXPECT_EQ(machine.numa_nodes.size(), 8U);
  ASSERT_EQ(machine.allowed.size(), 96U);
  EXPECT_EQ(machine.allowed[94].node, 7);
  EXPECT_EQ(last_level_cache_bytes(machine, machine.allowed_cpus), std::uint64_t{128} << 20U);
}

TEST(HwlocMachine, Of1024CpusIsWhole) {
  const auto machine = machine_of("HWLOC_SYNTHETIC", "pack:4 numa:4 core:32 pu:2");
  EXPECT_EQ(machine.hardware_threads, 1024);
  EXPECT_EQ(machine.allowed.size(), 1024U);
  EXPECT_EQ(machine.allowed_cpus.back(), 1023);
}

TEST(HwlocMachine, CountsTheCpusThatItMayNotUse) {
  const FakeTree tree;
  const auto machine = machine_of("HWLOC_XMLFILE", write_hybrid_xml(tree));
  EXPECT_EQ(machine.hardware_threads, 6);
  EXPECT_EQ(machine.allowed_cpus, (CpuList{0, 1, 2, 3, 5}));
  ASSERT_EQ(machine.allowed.size(), 5U);
  EXPECT_EQ(machine.allowed.back().cpu, 5);
  EXPECT_EQ(machine.allowed.back().core, 4);
  EXPECT_EQ(machine.core_kinds.size(), 3U);
  EXPECT_EQ(machine.processor, std::nullopt);
}

TEST(HwlocMachine, WithAMemorySideCacheHasThatAsTheLast) {
  const SysfsTree tree;
  write_memory_side_cache(tree);
  const auto machine = machine_of("HWLOC_FSROOT", tree.path(""));
  ASSERT_EQ(machine.memory_side_caches.size(), 1U);
  EXPECT_EQ(machine.memory_side_caches[0].bytes, std::uint64_t{16} << 30U);
  EXPECT_EQ(machine.memory_side_caches[0].nodes, (std::vector<CpuList>{{0}}));
  EXPECT_EQ(last_level_cache_bytes(machine, {0}), std::uint64_t{16} << 30U);
  EXPECT_EQ(last_level_cache_bytes(machine, {0}, {7}), std::uint64_t{32} << 20U);
}

TEST(HwlocMachine, OfAStoredRootHasOnlyWhatIsStored) {
  const FakeTree tree;
  for (int cpu = 0; cpu < 4; ++cpu) {
    const std::string folder = fmt::format("sys/devices/system/cpu/cpu{}/topology/", cpu);
    tree.write(folder + "core_id", fmt::format("{}", cpu));
    tree.write(folder + "physical_package_id", "0");
    tree.write(folder + "core_cpus", fmt::format("{:x}", 1 << cpu));
    tree.write(folder + "package_cpus", "f");
  }
  tree.write("sys/devices/system/cpu/online", "0-3");
  tree.write("proc/cpuinfo", "processor\t: 0\nmodel name\t: ARMv7 Processor rev 1 (v7l)\n");
  const auto machine = machine_of("HWLOC_FSROOT", tree.path(""));
  EXPECT_EQ(machine.processor, "ARMv7 Processor rev 1 (v7l)");
  EXPECT_EQ(machine.cores, 4);
  EXPECT_TRUE(machine.caches.empty());
  EXPECT_EQ(last_level_cache_bytes(machine, machine.allowed_cpus), 0U);
  const auto nothing = std::optional<std::string>();
  EXPECT_EQ(machine.host, nothing);
  EXPECT_EQ(machine.architecture, nothing);
  EXPECT_EQ(machine.kernel, nothing);
  EXPECT_EQ(machine.hypervisor, nothing);
  EXPECT_EQ(machine.memory_available_bytes, std::nullopt);
  EXPECT_EQ(machine.page_bytes, std::nullopt);
  for (const char* field : {"caches", "host", "architecture", "kernel", "hypervisor", "huge_pages",
                            "cpu_quota", "memory_available_bytes"}) {
    EXPECT_TRUE(machine.unknown.contains(field)) << field;
  }
}

// Nobody asks hwloc for anything but this machine.
struct NoRequest {
  EnvironmentGuard synthetic{"HWLOC_SYNTHETIC", std::nullopt};
  EnvironmentGuard xml{"HWLOC_XMLFILE", std::nullopt};
  EnvironmentGuard root{"HWLOC_FSROOT", std::nullopt};
};

void expect_same_threads(const Topology& a, const Topology& b) {
  EXPECT_EQ(a.packages, b.packages);
  EXPECT_EQ(a.online_cpus, b.online_cpus);
  EXPECT_EQ(a.offline_cpus, b.offline_cpus);
  ASSERT_EQ(a.threads.size(), b.threads.size());
  for (std::size_t i = 0; i < a.threads.size(); ++i) {
    const auto fields = [](const HardwareThread& thread) {
      return std::tuple(thread.cpu, thread.core, thread.smt, thread.package, thread.node,
                        thread.die);
    };
    EXPECT_EQ(fields(a.threads[i]), fields(b.threads[i])) << "thread " << i;
  }
}

void expect_same_caches(const Topology& a, const Topology& b) {
  ASSERT_EQ(a.caches.size(), b.caches.size());
  for (std::size_t i = 0; i < a.caches.size(); ++i) {
    EXPECT_EQ(a.caches[i].level, b.caches[i].level);
    EXPECT_EQ(a.caches[i].kind, b.caches[i].kind);
    EXPECT_EQ(a.caches[i].bytes, b.caches[i].bytes);
    EXPECT_EQ(a.caches[i].line_bytes, b.caches[i].line_bytes);
    EXPECT_EQ(a.caches[i].shared_by, b.caches[i].shared_by);
  }
  ASSERT_EQ(a.memory_side_caches.size(), b.memory_side_caches.size());
  for (std::size_t i = 0; i < a.memory_side_caches.size(); ++i) {
    EXPECT_EQ(a.memory_side_caches[i].bytes, b.memory_side_caches[i].bytes);
    EXPECT_EQ(a.memory_side_caches[i].line_bytes, b.memory_side_caches[i].line_bytes);
    EXPECT_EQ(a.memory_side_caches[i].nodes, b.memory_side_caches[i].nodes);
  }
  ASSERT_EQ(a.core_kinds.size(), b.core_kinds.size());
  for (std::size_t i = 0; i < a.core_kinds.size(); ++i) {
    EXPECT_EQ(a.core_kinds[i].name, b.core_kinds[i].name);
    EXPECT_EQ(a.core_kinds[i].cpus, b.core_kinds[i].cpus);
  }
}

void expect_same_nodes(const Topology& a, const Topology& b) {
  ASSERT_EQ(a.numa_nodes.size(), b.numa_nodes.size());
  EXPECT_EQ(a.node_distances, b.node_distances);
  EXPECT_EQ(a.allowed_nodes, b.allowed_nodes);
  for (std::size_t i = 0; i < a.numa_nodes.size(); ++i) {
    EXPECT_EQ(a.numa_nodes[i].os_index, b.numa_nodes[i].os_index);
    EXPECT_EQ(a.numa_nodes[i].cpus, b.numa_nodes[i].cpus);
    EXPECT_EQ(a.numa_nodes[i].kind, b.numa_nodes[i].kind);
  }
}

void expect_same_bytes_of_nodes(const Topology& a, const Topology& b) {
  ASSERT_EQ(a.numa_nodes.size(), b.numa_nodes.size());
  for (std::size_t i = 0; i < a.numa_nodes.size(); ++i) {
    EXPECT_EQ(a.numa_nodes[i].bytes, b.numa_nodes[i].bytes) << "node " << i;
  }
}

// The kernel's files alone, read by hwloc and by us: hwloc would also ask the processor, and some
// hypervisors let the two differ. A guest's memory may grow or shrink between the two looks, so
// the bytes of nodes are compared on made machines only.
TEST(BothSources, AgreeOnThisMachine) {
  const NoRequest none;
  const EnvironmentGuard files_only("HWLOC_COMPONENTS", "-x86");
  const auto hwloc = find_by_hwloc({});
  const auto sysfs = find_by_sysfs({});
  ASSERT_TRUE(hwloc.has_value());
  ASSERT_TRUE(sysfs.has_value());
  const std::string cpu = cpu_folder({}, sysfs->online_cpus.front());
  if (!std::filesystem::exists(cpu + "/topology")) {
    GTEST_SKIP() << "NOT TESTED: the kernel reports no topology here";
  }
  expect_same_threads(*hwloc, *sysfs);
  expect_same_nodes(*hwloc, *sysfs);
  if (std::filesystem::exists(cpu + "/cache/index0")) {  // else we ask the C library
    expect_same_caches(*hwloc, *sysfs);
  }
}

TEST(BothSources, AgreeOnMachinesThatAreNotAtHand) {
  for (const auto write :
       {write_two_packages_with_smt, write_interleaved_numbers, write_memory_only_nodes,
        write_hybrid, write_offline_cpus, write_two_dies_a_package, write_memory_side_cache,
        write_two_arm_designs, write_s390, write_knights_landing}) {
    const SysfsTree tree;
    write(tree);
    const NoRequest none;
    const auto sysfs = find_by_sysfs(tree.roots());
    const EnvironmentGuard root("HWLOC_FSROOT", tree.path(""));
    const auto hwloc = find_by_hwloc(tree.roots());
    ASSERT_TRUE(hwloc.has_value()) << hwloc.error().message;
    ASSERT_TRUE(sysfs.has_value()) << sysfs.error().message;
    expect_same_threads(*hwloc, *sysfs);
    expect_same_caches(*hwloc, *sysfs);
    expect_same_nodes(*hwloc, *sysfs);
    expect_same_bytes_of_nodes(*hwloc, *sysfs);
  }
}

}  // namespace
}  // namespace streamgage
