#include "node/parts.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/testing/small_machine.hpp"

namespace streamgage::engine {
namespace {

using testing::ElementsAre;
using testing::FieldsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two NUMA domains with two cores of two hardware threads each; the process may not use core 3.
Machine two_domains() {
  Machine machine = small_machine();
  machine.allowed = {{0, 0, 0, 0, 0}, {4, 0, 1, 0, 0}, {1, 1, 0, 0, 0},
                     {5, 1, 1, 0, 0}, {2, 2, 0, 1, 1}, {6, 2, 1, 1, 1}};
  return machine;
}

double no_time() { return 0.0; }

TEST(Parts, HaveOneCpuOfEachCoreThatMayBeUsed) {
  const Machine machine = two_domains();
  EXPECT_THAT(domains_of(machine),
              ElementsAre(FieldsAre(0, ElementsAre(0, 1)), FieldsAre(1, ElementsAre(2))));
  EXPECT_THAT(cores_of(machine),
              ElementsAre(FieldsAre(0, ElementsAre(0)), FieldsAre(1, ElementsAre(1)),
                          FieldsAre(2, ElementsAre(2))));
}

TEST(Parts, EachIsMeasuredByItselfDomainsLongerThanCores) {
  std::map<std::size_t, double> seconds;
  const PartRates rates = measure_parts(
      two_domains(),
      [&](const CpuList& cpus, double most) -> Result<PartRun> {
        seconds[cpus.size()] = most;
        return PartRun{1e9 * (1 + cpus.front()), false};
      },
      &no_time);
  EXPECT_THAT(rates.domains, ElementsAre(FieldsAre(0, 1e9), FieldsAre(1, 3e9)));
  EXPECT_THAT(rates.cores, ElementsAre(FieldsAre(0, 1e9), FieldsAre(1, 2e9), FieldsAre(2, 3e9)));
  EXPECT_THAT(rates.left_out, IsEmpty());
  EXPECT_GT(seconds[2], seconds[1]);
}

TEST(Parts, OfOneDomainTheCoresAreMeasuredAlone) {
  const PartRates rates = measure_parts(
      small_machine(),
      [](const CpuList&, double) -> Result<PartRun> {
        return PartRun{5e9, false};
      },
      &no_time);
  EXPECT_THAT(rates.domains, IsEmpty());
  EXPECT_THAT(rates.cores, ElementsAre(FieldsAre(0, 5e9)));
}

TEST(Parts, WhatHasNoRateIsSaidAndTheOthersAreMeasured) {
  const PartRates rates = measure_parts(
      two_domains(),
      [](const CpuList& cpus, double) -> Result<PartRun> {
        if (cpus == CpuList{0}) {
          return tl::unexpected(Error{"there is no memory"});
        }
        return cpus == CpuList{1} ? PartRun{} : PartRun{2e9, false};
      },
      &no_time);
  EXPECT_EQ(rates.domains.size(), 2U);
  EXPECT_THAT(rates.cores, ElementsAre(FieldsAre(2, 2e9)));
  EXPECT_THAT(rates.left_out,
              ElementsAre("core 0 was not measured by itself: there is no memory",
                          "something disturbed 1 of 3 cores, so they have no figures"));
}

TEST(Parts, ASignalEndsThemAll) {
  int runs = 0;
  const PartRates rates = measure_parts(
      two_domains(),
      [&](const CpuList&, double) -> Result<PartRun> {
        ++runs;
        return PartRun{{}, true};
      },
      &no_time);
  EXPECT_EQ(runs, 1);
  EXPECT_THAT(rates.left_out, ElementsAre("stopped after 0 of 2 NUMA domains"));
}

TEST(Parts, WhereTimeEndsAnEvenChoiceIsMeasured) {
  Machine machine = small_machine();
  machine.allowed.clear();
  for (int core = 0; core < 32; ++core) {
    machine.allowed.push_back({core, core, 0, 0, 0});
  }
  double clock = 0.0;
  const PartRates rates = measure_parts(
      machine,
      [&](const CpuList&, double) -> Result<PartRun> {
        clock += 10.0;
        return PartRun{1e9, false};
      },
      [&] { return clock; });
  EXPECT_THAT(rates.cores, ElementsAre(FieldsAre(0, 1e9), FieldsAre(4, 1e9), FieldsAre(8, 1e9),
                                       FieldsAre(12, 1e9), FieldsAre(16, 1e9), FieldsAre(20, 1e9),
                                       FieldsAre(24, 1e9)));
  EXPECT_THAT(rates.left_out, ElementsAre(HasSubstr("7 of 32 cores")));
}

}  // namespace
}  // namespace streamgage::engine
