#include "measure/own/own_check.hpp"

#include <cstdlib>
#include <string>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/own/fault.hpp"

namespace streamgage::engine {
namespace {

#ifdef STREAMGAGE_OWN_PROBES

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kTimeout = 60.0;  // seconds: none of these kernels is slow, machines may be

Team two_threads() { return Team::assemble({PlacementKind::kNone, 2, {}}).value(); }

OwnCheck checked(const std::string& name, std::optional<std::int64_t> iterations = std::nullopt) {
  const auto kernel =
      load_own_kernel({STREAMGAGE_OWN_PROBES "/" + name + ".so", "", name + ".c"}, 0, kTimeout);
  if (!kernel) {
    return {0, {}, kernel.error()};
  }
  const Team team = two_threads();
  return check_own_kernel(**kernel, team, {kTimeout, iterations, PageSize::kSystem, {}}).value();
}

TEST(OwnCheck, AKernelThatDoesWhatItDeclaresPassesEverything) {
  for (const char* name : {"triad", "stencil"}) {
    for (const std::optional<std::int64_t> iterations :
         {std::optional<std::int64_t>(), std::optional<std::int64_t>(96'000)}) {
      const OwnCheck check = checked(name, iterations);
      EXPECT_FALSE(check.failure) << check.failure->message;
      EXPECT_THAT(check.checked, ElementsAre("declaration", "guard-pages", "accesses", "ranges",
                                             "division", "result"));
      EXPECT_EQ(check.iterations > 90'000, iterations.has_value());
    }
  }
}

TEST(OwnCheck, WhatHasNoCheckOfItsOwnIsNotSaidToBeRight) {
  const OwnCheck check = checked("counts");
  EXPECT_FALSE(check.failure) << check.failure->message;
  EXPECT_THAT(check.checked,
              ElementsAre("declaration", "guard-pages", "accesses", "ranges", "division"));
}

using Defect = std::tuple<const char*, FailureReason, const char*>;

class OwnCheckOfDefects : public testing::TestWithParam<Defect> {};

TEST_P(OwnCheckOfDefects, IsReportedWithTheArrayWhereItIsKnown) {
  const auto& [name, reason, sentence] = GetParam();
  const OwnCheck check = checked(name);
  ASSERT_TRUE(check.failure) << name << " passed";
  EXPECT_EQ(name_of(check.failure->reason), name_of(reason)) << check.failure->message;
  EXPECT_THAT(check.failure->message, HasSubstr(sentence));
  EXPECT_EQ(check.failure->source, std::string(name) + ".c");
}

INSTANTIATE_TEST_SUITE_P(
    Triad, OwnCheckOfDefects,
    testing::Values(
        Defect{"before", FailureReason::kOutside, "element -1 of its array a"},
        Defect{"behind", FailureReason::kOutside, "of its array a, which has the elements 0 to"},
        Defect{"range", FailureReason::kOutside, "writes outside its range"},
        Defect{"third", FailureReason::kAccess, "every array beyond the 3 that it declares"},
        Defect{"crash", FailureReason::kCrash, "crashes (SIGSEGV"},
        Defect{"abort", FailureReason::kCrash, "calls abort"},
        Defect{"writes_read", FailureReason::kAccess, "writes to its array c"},
        Defect{"never_reads", FailureReason::kAccess, "never reads its array c"},
        Defect{"never_writes", FailureReason::kAccess, "never writes to its array a"},
        Defect{"reads_written", FailureReason::kAccess, "reads its array a"},
        Defect{"random", FailureReason::kDeclaration, "of its array b a different value each time"},
        Defect{"throws", FailureReason::kCrash, "throws an exception: too bad"},
        Defect{"division", FailureReason::kDivision, "element"},
        Defect{"wrong", FailureReason::kCheck, "wrong: a is not b + s*c"}),
    [](const auto& test) { return std::string(std::get<0>(test.param)); });

TEST(OwnCheck, OneThatNeedsMoreMemoryThanIsFreeIsRefusedBeforeItTouchesAny) {
  const auto kernel =
      load_own_kernel({STREAMGAGE_OWN_PROBES "/triad.so", "", "triad.c"}, 0, kTimeout);
  ASSERT_TRUE(kernel) << kernel.error().message;
  const auto check = check_own_kernel(**kernel, two_threads(),
                                      {kTimeout, std::nullopt, PageSize::kSystem, {}, 4096});
  ASSERT_FALSE(check);
  EXPECT_THAT(check.error().message, HasSubstr("but only 4 KiB are free; declare a smaller grain"));
}

TEST(OwnCheck, TheSameKernelSurvivesTheCheckOfABrokenOne) {
  EXPECT_TRUE(checked("crash").failure);
  EXPECT_FALSE(checked("triad").failure);
}

#endif

}  // namespace
}  // namespace streamgage::engine
