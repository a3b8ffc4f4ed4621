#include "streamgage/placement/expression/expand.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/placement/testing/example_machines.hpp"

namespace streamgage {
namespace {

using testing::HasSubstr;

constexpr const char* kError = "";

CpuList list(const std::string& text) {
  return text.empty() ? CpuList{} : parse_cpu_list(text).value();
}

Result<CpuList> cpus_of(const std::string& text, const Machine& machine,
                        Oversubscribe oversubscribe = Oversubscribe::kRefused) {
  return expand(text, machine, oversubscribe);
}

std::string error_of(const std::string& text, const Machine& machine,
                     Oversubscribe oversubscribe = Oversubscribe::kRefused) {
  const auto cpus = cpus_of(text, machine, oversubscribe);
  EXPECT_FALSE(cpus) << text;
  return cpus ? "" : cpus.error().message;
}

void expect_cpus(const std::string& text, const Machine& machine, const std::string& expected) {
  const auto cpus = cpus_of(text, machine);
  ASSERT_EQ(cpus.has_value(), !expected.empty())
      << text << ": " << (cpus ? format_cpu_list(*cpus) : cpus.error().message);
  if (cpus) {
    EXPECT_EQ(*cpus, list(expected)) << text;
  } else {
    EXPECT_EQ(cpus.error().status, ExitStatus::kUsage) << text;
  }
}

struct Row {
  const char* expression;
  const char* a;
  const char* b;
};

constexpr const char* kAllOfA = "0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15";
constexpr const char* kAllOfB = "0,2,4,6,8,10,12,14,1,3,5,7,9,11,13,15";

const std::vector<Row> kTable{
    {"0,4-6", "0,4,5,6", "0,4,5,6"},
    {"3-1", "3,2,1", "3,2,1"},
    {"7,3,0", "7,3,0", "7,3,0"},
    {"N", kAllOfA, "0-15"},
    {"E:N", kAllOfA, "0-15"},
    {"S0", "0,8,1,9,2,10,3,11", "0-15"},
    {"S1", "4,12,5,13,6,14,7,15", kError},
    {"D1", "4,12,5,13,6,14,7,15", kError},
    {"C1", "4,12,5,13,6,14,7,15", "8-15"},
    {"M1", "4,12,5,13,6,14,7,15", "8-15"},
    {"N:0-7", "0-7", "0,2,4,6,8,10,12,14"},
    {"L:N:0-7", "0-7", "0,2,4,6,8,10,12,14"},
    {"N:0-15", "0-15", kAllOfB},
    {"N:8-15", "8-15", "1,3,5,7,9,11,13,15"},
    {"N:7-0", "7-0", "14,12,10,8,6,4,2,0"},
    {"N:0,2-4,9", "0,2,3,4,9", "0,4,6,8,3"},
    {"S0:0-3", "0-3", "0,2,4,6"},
    {"S0:4-7", "8-11", "8,10,12,14"},
    {"S0:3-0", "3-0", "6,4,2,0"},
    {"M1:0-1", "4,5", "8,10"},
    {"S0:0-1@S1:0-1", "0,1,4,5", kError},
    {"S0:0@S1:0@S0:1", "0,4,1", kError},
    {"E:N:2", "0,8", "0,1"},
    {"E:N:8", "0,8,1,9,2,10,3,11", "0-7"},
    {"E:S1:3", "4,12,5", kError},
    {"E:N:2:1:2", "0,1", "0,2"},
    {"E:N:8:1:2", "0-7", "0,2,4,6,8,10,12,14"},
    {"E:N:4:2:4", "0,8,2,10", "0,1,4,5"},
    {"E:N:8:2:4", "0,8,2,10,4,12,6,14", "0,1,4,5,8,9,12,13"},
    {"E:S0:4:1:2", "0-3", "0,2,4,6"},
    {"E:S0:4:2:3", "0,8,9,2", "0,1,3,4"},
    {"E:S0:4:1:4", kError, "0,4,8,12"},
    {"E:S0:4:1:2:1", "8-11", "1,3,5,7"},
    {"S:scatter", "0,4,1,5,2,6,3,7,8,12,9,13,10,14,11,15", kAllOfB},
    {"M:scatter", "0,4,1,5,2,6,3,7,8,12,9,13,10,14,11,15", "0,8,2,10,4,12,6,14,1,9,3,11,5,13,7,15"},
    {"S:scatter:3", "0,4,1", "0,2,4"},
    {"S1:scatter:3", "4,5,6", kError},
    {"N:scatter:3", "0,1,2", "0,2,4"},
    {"S:balanced:4", "0,8,4,12", "0-3"},
    {"S:balanced:5", "0,8,1,4,12", "0-4"},
    {"S:cbalanced:4", "0,1,4,5", "0,2,4,6"},
    {"S:cbalanced:5", "0,1,2,4,5", "0,2,4,6,8"},
    {"S:cbalanced:10", "0,8,1,2,3,4,12,5,6,7", "0,1,2,3,4,6,8,10,12,14"},
    {"S:balanced", kAllOfA, "0-15"},
    {"S:cbalanced", kAllOfA, "0-15"},
    {"S0:0-8", kError, "0,2,4,6,8,10,12,14,1"},
    {"E:N:8:2", kError, kError},
    {"foo", kError, kError},
    {"Q0:0", kError, kError},
    {"S0:", kError, kError},
    {"16", kError, kError},
};

TEST(Expressions, NameTheCpusOfTheTable) {
  for (const Row& row : kTable) {
    expect_cpus(row.expression, topology_a(), row.a);
    expect_cpus(row.expression, topology_b(), row.b);
  }
}

TEST(Expressions, InsideACpusetNameOnlyItsCpus) {
  const Machine confined = confined_to(topology_a(), {2, 3, 6, 7, 10, 11});
  expect_cpus("0-3", confined, "2,3,6,7");
  expect_cpus("N", confined, "2,10,3,11,6,7");
  expect_cpus("S0:0-3", confined, "2,3,10,11");
  expect_cpus("S1:0-3", confined, kError);
  expect_cpus("S:scatter", confined, "2,6,3,7,10,11");
  expect_cpus("0-5", confined, "2,3,6,7,10,11");
}

TEST(Expressions, KeepTheNumbersOfDomainsThatACpusetLeavesOut) {
  const Machine second = confined_to(topology_a(), {4, 5, 12});
  expect_cpus("S1", second, "4,12,5");
  expect_cpus("M:scatter", second, "4,5,12");
  EXPECT_EQ(error_of("S0:0", second),
            "S0:0 names socket 0, but this process may not use any CPU there; it may use 4,5,12");
}

TEST(Expressions, OfAHybridProcessorTakeEveryCoreBeforeSecondThreads) {
  const Machine hybrid = machine_of_cores({{0, 1}, {2, 3}, {4}, {5}, {6}, {7}}, 1);
  expect_cpus("N", hybrid, "0-7");
  expect_cpus("N:0-7", hybrid, "0,2,4,5,6,7,1,3");
  expect_cpus("E:N:3:1:2", hybrid, "0,2,4");
  expect_cpus("S0:cbalanced:7", hybrid, "0,1,2,4,5,6,7");
}

TEST(Expressions, CountAsLastTheCacheThatACpuHasLast) {
  Machine hybrid = machine_of_cores({{0, 1}, {2}, {3}, {4}, {5}}, 1);
  hybrid.caches = {{1, "data", 1, 64, {{0, 1}, {2}, {3}, {4}, {5}}},
                   {2, "unified", 1, 64, {{0, 1}, {2, 3}, {4, 5}}},
                   {3, "unified", 1, 64, {{0, 1, 2, 3}}}};
  expect_cpus("C0", hybrid, "0-3");
  expect_cpus("C1", hybrid, "4,5");
  expect_cpus("C2", hybrid, kError);
  expect_cpus("C:scatter:3", hybrid, "0,4,2");
}

TEST(Expressions, CountMemoryDomainsWithoutGaps) {
  Machine machine = topology_b();
  machine.numa_nodes = {{0, list("0-7"), {}}, {4, {}, {}}, {8, list("8-15"), {}}};
  expect_cpus("M1", machine, "8-15");
  EXPECT_EQ(error_of("M8", machine),
            "M8 names M8, but this machine has M0 to M1; they count from 0, whatever numbers "
            "their nodes have");
  EXPECT_THAT(error_of("M1:9", machine), HasSubstr("NUMA domain 1 (node 8) has 8: 8,10,"));
}

TEST(Expressions, OfAMachineWithOfflineCpusLeaveThemOut) {
  Machine machine = machine_of_cores({{0, 8}, {1}, {3, 11}}, 1);
  expect_cpus("N", machine, "0,8,1,3,11");
  expect_cpus("N:0-3", machine, "0,1,3,8");
  EXPECT_EQ(error_of("0-3", machine),
            "0-3 asks for CPU 2, which is not online here; this process may use 0,1,3,8,11");
}

TEST(Expressions, ReachOver1024Cpus) {
  std::vector<CpuList> cores;
  for (int core = 0; core < 1024; ++core) {
    cores.push_back({core, core + 1024});
  }
  const Machine machine = machine_of_cores(cores, 8);
  expect_cpus("S7:127,128", machine, "1023,1920");
  EXPECT_EQ(cpus_of("N", machine)->size(), 2048U);
  EXPECT_LT(error_of("S7:0-999", machine).size(), 300U);
}

TEST(Refusals, NameThePartAndTheCpusOfItsDomain) {
  const Machine a = topology_a();
  EXPECT_EQ(error_of("S0:0-9", a),
            "S0:0-9 asks for 10 CPUs, but socket 0 has 8: 0,1,2,3,8,9,10,11. Use S0:0-7, or add "
            "--allow-oversubscribe");
  EXPECT_EQ(error_of("N:0-1@S1:8", a),
            "in 'N:0-1@S1:8': S1:8 asks for CPU number 8, from 0, but socket 1 has 8: "
            "4,5,6,7,12,13,14,15. Use S1:0-7, or add --allow-oversubscribe");
  EXPECT_EQ(error_of("E:S0:9", a),
            "E:S0:9 asks for 9 CPUs, but socket 0 has 8: 0,8,1,9,2,10,3,11. Use E:S0:8, or add "
            "--allow-oversubscribe");
  EXPECT_EQ(error_of("E:S0:4:1:4", a),
            "E:S0:4:1:4 asks for 4 CPUs, but socket 0 has 8: 0,8,1,9,2,10,3,11, and ends after 2 "
            "of them. Use E:S0:2:1:4, or add --allow-oversubscribe");
  EXPECT_THAT(error_of("E:S0:4:1:1:8", a), HasSubstr("begins at CPU number 8, from 0"));
  EXPECT_THAT(error_of("S:scatter:17", a),
              HasSubstr("these 2 domains together have 16: 0,4,1,5,2,6,3,7,8,12,9,13,10,14,11,15. "
                        "Use S:scatter:16, or"));
  EXPECT_THAT(error_of("S1:balanced:9", a), HasSubstr("socket 1 has 8: 4,5"));
  EXPECT_EQ(error_of("S2", a), "S2 names S2, but this machine has S0 to S1");
  EXPECT_EQ(error_of("16", a),
            "16 asks for CPU 16, which is not online here; this process may use "
            "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
}

TEST(Refusals, OfUnevenDomainsSayHowManyCanBeBalanced) {
  const Machine confined = confined_to(topology_a(), {0, 1, 2, 3, 4});
  EXPECT_EQ(error_of("S:balanced:4", confined),
            "S:balanced:4 takes 2 CPUs from socket 1, which has 1: 4. Use S:balanced:3, or add "
            "--allow-oversubscribe");
}

TEST(Refusals, InsideACpusetSayWhatAPlainListCounts) {
  const Machine confined = confined_to(topology_a(), {2, 3, 6, 7, 10, 11});
  EXPECT_EQ(
      error_of("10-11", confined),
      "10-11 asks for CPU number 11, from 0, but the node has 6 that this process may use: "
      "2,3,6,7,10,11 (in a restricted cpuset, a plain list counts only those). Use 0-5, or add "
      "--allow-oversubscribe");
}

TEST(Refusals, OfADuplicateNameBothParts) {
  const Machine a = topology_a();
  EXPECT_THAT(error_of("S0:0,0", a), HasSubstr("S0:0,0 names CPU 0 twice"));
  EXPECT_THAT(error_of("0,1,0", a), HasSubstr("0,1,0 names CPU 0 twice"));
  EXPECT_THAT(error_of("S0:0-1@N:1", a), HasSubstr("N:1 names CPU 1 again, after S0:0-1"));
  EXPECT_THAT(error_of("E:S0:4:2:1", a), HasSubstr("names CPU 8 twice"));
}

TEST(Refusals, OfAMachineWithoutCachesSaySo) {
  Machine bare = topology_a();
  bare.caches.clear();
  EXPECT_THAT(error_of("C0", bare), HasSubstr("this machine reports none"));
  EXPECT_THAT(error_of("C:scatter", bare), HasSubstr("this machine reports none"));
}

TEST(Oversubscription, BeginsAnewWhereADomainEnds) {
  const Machine a = topology_a();
  const auto wrapped = [&](const char* text) {
    return format_cpu_list(cpus_of(text, a, Oversubscribe::kAllowed).value());
  };
  EXPECT_EQ(wrapped("E:S0:4:1:4"), "0,2,0,2");
  EXPECT_EQ(wrapped("S0:0-9"), "0-3,8-11,0-1");
  EXPECT_EQ(wrapped("0,0"), "0,0");
  EXPECT_EQ(wrapped("S0:0@S0:0"), "0,0");
  EXPECT_EQ(wrapped("S:scatter:18"), "0,4,1,5,2,6,3,7-8,12,9,13,10,14,11,15,0,4");
  EXPECT_EQ(wrapped("S:balanced:18"), "0,8,1,9,2,10,3,11,0,4,12,5,13,6,14,7,15,4");
  EXPECT_EQ(wrapped("S1:cbalanced:10"), "4,12,5,13,6,14,7,15,4-5");
}

TEST(Oversubscription, BringsNoCpuThatIsNotThere) {
  const Machine a = topology_a();
  EXPECT_THAT(error_of("16", a, Oversubscribe::kAllowed), HasSubstr("asks for CPU 16"));
  EXPECT_THAT(error_of("S2:0", a, Oversubscribe::kAllowed), HasSubstr("S0 to S1"));
}

TEST(Oversubscription, EndsSomewhere) {
  const Machine a = topology_a();
  for (const char* text : {"N:0-65536", "E:N:65537", "S:scatter:65537", "M:balanced:1048576",
                           "N:0-65000@N:0-65000", "N:0-1048576,1048576-0"}) {
    EXPECT_THAT(error_of(text, a, Oversubscribe::kAllowed), HasSubstr("names at most 65,536"))
        << text;
  }
  EXPECT_EQ(cpus_of("N:0-65535", a, Oversubscribe::kAllowed)->size(), 65536U);
}

}  // namespace
}  // namespace streamgage
