#include "topology/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include <gtest/gtest.h>

#include "topology/host/fake_tree.hpp"
#include "topology/hybrid_xml.hpp"

namespace streamgage {
namespace {

Machine machine_of(const char* variable, const std::string& value) {
  const EnvironmentGuard guard(variable, value);
  const auto machine = discover_machine();
  if (!machine) {
    ADD_FAILURE() << machine.error().message;
    return {};
  }
  return *machine;
}

TEST(Machine, OfTwoEpyc7451Has48CoresInEightNodes) {
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

TEST(Machine, Of1024CpusIsWhole) {
  const auto machine = machine_of("HWLOC_SYNTHETIC", "pack:4 numa:4 core:32 pu:2");
  EXPECT_EQ(machine.hardware_threads, 1024);
  EXPECT_EQ(machine.allowed.size(), 1024U);
  EXPECT_EQ(machine.allowed_cpus.back(), 1023);
}

TEST(Machine, CountsTheCpusThatItMayNotUse) {
  const FakeTree tree;
  tree.write("hybrid.xml", kHybridXml);
  const auto machine = machine_of("HWLOC_XMLFILE", tree.path("hybrid.xml"));
  EXPECT_EQ(machine.hardware_threads, 6);
  EXPECT_EQ(machine.allowed_cpus, (CpuList{0, 1, 2, 3, 5}));
  ASSERT_EQ(machine.allowed.size(), 5U);
  EXPECT_EQ(machine.allowed.back().cpu, 5);
  EXPECT_EQ(machine.allowed.back().core, 4);
  EXPECT_EQ(machine.core_kinds.size(), 3U);
}

TEST(Machine, TakesItsLimitsFromTheGivenFiles) {
  const FakeTree tree;
  tree.write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 900 kB\n");
  tree.write("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("proc/self/cgroup", "0::/\n");
  tree.write("sys/fs/cgroup/cpu.max", "150000 100000\n");
  tree.write("sys/fs/cgroup/memory.max", "500000\n");
  tree.write("sys/fs/cgroup/memory.current", "100000\n");
  const auto machine = discover_machine(tree.roots());
  ASSERT_TRUE(machine.has_value());
  EXPECT_EQ(machine->memory_bytes, 1024000U);
  EXPECT_EQ(machine->cpu_quota, 1.5);
  EXPECT_EQ(machine->memory_limit_bytes, 500000U);
  EXPECT_EQ(machine->memory_limit_free_bytes, 400000U);
  EXPECT_TRUE(machine->memory_modules.empty());
  EXPECT_TRUE(machine->memory_modules_reason.has_value());
  EXPECT_EQ(machine->huge_pages, "unavailable");
}

TEST(Machine, WithoutMeminfoIsAnError) {
  const FakeTree tree;
  EXPECT_FALSE(discover_machine(tree.roots()).has_value());
}

TEST(Machine, ThatThisIsAgreesWithTheSystem) {
  const NoOpenMpBinding unset;
  const auto machine = discover_machine();
  ASSERT_TRUE(machine.has_value());
  EXPECT_EQ(machine->hardware_threads, sysconf(_SC_NPROCESSORS_ONLN));
  EXPECT_EQ(machine->online_cpus.size(), static_cast<std::size_t>(machine->hardware_threads));
  EXPECT_EQ(machine->page_bytes, static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
  EXPECT_LE(machine->memory_available_bytes, machine->memory_bytes);
  EXPECT_LE(machine->cores, machine->hardware_threads);

  cpu_set_t mask;
  CPU_ZERO(&mask);
  ASSERT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  EXPECT_EQ(machine->allowed.size(), static_cast<std::size_t>(CPU_COUNT(&mask)));
  EXPECT_EQ(machine->allowed_cpus.size(), machine->allowed.size());
  for (const HardwareThread& thread : machine->allowed) {
    EXPECT_TRUE(CPU_ISSET(thread.cpu, &mask));
    EXPECT_TRUE(std::any_of(machine->numa_nodes.begin(), machine->numa_nodes.end(),
                            [&](const NumaNode& node) { return node.os_index == thread.node; }));
  }
}

}  // namespace
}  // namespace streamgage
