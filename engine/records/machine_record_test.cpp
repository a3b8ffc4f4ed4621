#include "records/machine_record.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace streamgage::engine {
namespace {

using nlohmann::ordered_json;

TEST(MachineRecord, HasTheFieldsOfTheSchemaInOrder) {
  std::vector<std::string> names;
  const auto record = to_record(Machine{});
  for (const auto& [name, value] : record.items()) {
    names.push_back(name);
  }
  EXPECT_THAT(
      names,
      testing::ElementsAre(
          "record", "schema", "engine", "compiler", "time", "host", "described_by", "unknown",
          "architecture", "processor", "processor_id", "packages", "cores", "hardware_threads",
          "threads_per_core", "threads", "caches", "memory_side_caches", "numa_nodes",
          "numa_distances", "core_kinds", "online_cpus", "offline_cpus", "isolated_cpus",
          "allowed_cpus", "cpu_sets", "allowed_nodes", "cpu_quota", "nice", "memory_bytes",
          "memory_available_bytes", "memory_limit_bytes", "memory_limit_free_bytes",
          "memory_modules", "memory_modules_reason", "system", "kernel", "page_bytes", "huge_pages",
          "huge_page_bytes", "numa_balancing", "frequency", "hypervisor"));
}

TEST(MachineRecord, WritesListsOfCpusAsTheKernelDoes) {
  Machine machine;
  machine.online_cpus = {0, 1, 2, 3, 8};
  machine.caches = {{3, "unified", 1024, 64, {{0, 1}, {2, 3, 8}}}};
  machine.numa_nodes = {{0, {0, 1, 2, 3, 8}, 4096},
                        {4, {}, std::nullopt, std::nullopt, std::nullopt, "MCDRAM"}};
  const auto record = to_record(machine);
  EXPECT_EQ(record["online_cpus"], "0-3,8");
  EXPECT_EQ(record["caches"][0].dump(),
            R"({"level":3,"kind":"unified","bytes":1024,"instances":2,"line_bytes":64,)"
            R"("cpus":["0-1","2-3,8"]})");
  EXPECT_EQ(record["numa_nodes"][1].dump(),
            R"({"node":4,"cpus":"","bytes":null,"free_bytes":null,"available_bytes":null,)"
            R"("kind":"MCDRAM"})");
}

TEST(MachineRecord, WritesNullForWhatIsNotKnown) {
  const auto record = to_record(Machine{});
  for (const char* name : {"processor", "cpu_quota", "memory_limit_bytes", "system",
                           "huge_page_bytes", "numa_balancing", "frequency", "hypervisor"}) {
    EXPECT_TRUE(record[name].is_null()) << name;
  }
  EXPECT_TRUE(record["core_kinds"].is_array());
}

TEST(MachineRecord, PlacesEveryHardwareThread) {
  Machine machine;
  machine.core_kinds = {{"IntelAtom", 0, {8}}, {"IntelCore", 1, {0, 1}}};
  machine.threads = {{.cpu = 1, .core = 0, .smt = 1, .package = 2, .node = 3, .die = 4},
                     {.cpu = 9, .core = 5, .smt = 0, .package = 2, .node = 3, .die = 4}};
  const auto record = to_record(machine);
  EXPECT_EQ(record["threads"][0].dump(),
            R"({"cpu":1,"core":0,"smt":1,"package":2,"die":4,"node":3,"kind":1})");
  EXPECT_TRUE(record["threads"][1]["kind"].is_null());
}

TEST(MachineRecord, HasTheDistancesWhereAllAreKnown) {
  Machine machine;
  machine.numa_nodes = {{0, {0}, 1}, {4, {}, 1}};
  machine.node_distances = {{{0, 0}, 10}, {{0, 4}, 17}, {{4, 0}, 17}};
  EXPECT_TRUE(to_record(machine)["numa_distances"].is_null());
  machine.node_distances[{4, 4}] = 10;
  EXPECT_EQ(to_record(machine)["numa_distances"].dump(),
            R"({"nodes":[0,4],"rows":[[10,17],[17,10]]})");
}

TEST(MachineRecord, SaysWhatHoldsTheProcess) {
  Machine machine;
  machine.cpu_sets = {{"cgroup", {0, 1}, "/sys/fs/cgroup/cpuset.cpus.effective"},
                      {"affinity", {1}, std::nullopt}};
  EXPECT_EQ(to_record(machine)["cpu_sets"].dump(),
            R"([{"source":"cgroup","cpus":"0-1","file":"/sys/fs/cgroup/cpuset.cpus.effective"},)"
            R"({"source":"affinity","cpus":"1","file":null}])");
}

TEST(MachineRecord, ReportsWhatIsLeftOfTheClock) {
  Machine machine;
  machine.frequency = Frequency{"powersave", 2'000'000'000, 3'500'000'000, std::nullopt};
  EXPECT_EQ(to_record(machine)["frequency"].dump(),
            R"({"governor":"powersave","limit_hertz":2000000000,"hardware_hertz":3500000000,)"
            R"("boost":null})");
}

TEST(MachineRecord, DescribesModulesAndKinds) {
  Machine machine;
  machine.memory_modules = {{"A1", std::nullopt, 1024, "DDR5", 64, 4800, 5600}};
  machine.core_kinds = {{"IntelCore", 1, {0, 1}}};
  const auto record = to_record(machine);
  EXPECT_EQ(record["memory_modules"].dump(),
            R"([{"locator":"A1","bank":null,"bytes":1024,"kind":"DDR5","width_bits":64,)"
            R"("megatransfers":4800,"rated_megatransfers":5600}])");
  EXPECT_EQ(record["core_kinds"].dump(), R"([{"name":"IntelCore","efficiency":1,"cpus":"0-1"}])");
}

TEST(MachineRecord, IsJsonWhateverTheFirmwareWrites) {
  Machine machine;
  machine.system = "Maker \xff\xfe";
  const auto text = to_record(machine).dump();
  EXPECT_TRUE(ordered_json::accept(text)) << text;
}

TEST(MachineRecord, IsStampedInUtc) {
  EXPECT_THAT(to_record(Machine{})["time"].get<std::string>(),
              testing::MatchesRegex("20..-..-..T..:..:..Z"));
}

}  // namespace
}  // namespace streamgage::engine
