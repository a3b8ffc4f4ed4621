#include "streamgage/topology/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

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
  EXPECT_EQ(machine->huge_pages, std::nullopt);
  EXPECT_EQ(machine->unknown.at("huge_pages"),
            tree.path("sys/kernel/mm/transparent_hugepage/enabled") +
                " cannot be read (No such file or directory)");
  EXPECT_FALSE(machine->unknown.contains("cpu_quota"));
}

TEST(Machine, ReportsWhatHoldsThisProcess) {
  const FakeTree tree;
  tree.write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 900 kB\n");
  tree.write("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("proc/self/cgroup", "0::/job\n");
  tree.write("proc/self/status", "Mems_allowed_list:\t0-63\n");
  tree.write("sys/fs/cgroup/job/cpuset.cpus.effective", "0-3\n");
  tree.write("sys/devices/system/cpu/isolated", "7\n");
  const auto machine = discover_machine(tree.roots());
  ASSERT_TRUE(machine.has_value());
  ASSERT_EQ(machine->cpu_sets.size(), 2U);
  EXPECT_EQ(machine->cpu_sets[0].cpus.size(), 4U);
  EXPECT_EQ(machine->cpu_sets[0].file, tree.path("sys/fs/cgroup/job/cpuset.cpus.effective"));
  EXPECT_EQ(machine->cpu_sets[1].source, "affinity");
  EXPECT_EQ(machine->cpu_sets[1].cpus, machine->allowed_cpus);
  EXPECT_EQ(machine->isolated_cpus, CpuList{7});
  EXPECT_EQ(machine->allowed_nodes.size(), machine->numa_nodes.size());
  EXPECT_EQ(machine->described_by, std::nullopt);
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
  EXPECT_EQ(machine->threads.size(), machine->online_cpus.size());

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
