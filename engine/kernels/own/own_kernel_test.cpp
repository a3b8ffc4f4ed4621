#include "kernels/own/own_kernel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_lines.hpp"
#include "kernels/choose_variants.hpp"
#include "kernels/variant.hpp"

namespace streamgage::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(OwnKernel, WhatCannotBeLoadedIsReportedByTheNameOfItsSource) {
  const auto missing = load_own_kernel({"/no/such/kernel.so", "somecc -O9", "mine.c"}, 0, 60.0);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().reason, FailureReason::kDeclaration);
  EXPECT_FALSE(missing.error().kernel);
  EXPECT_THAT(missing.error().message, HasSubstr("mine.c cannot be loaded"));
}

#ifdef STREAMGAGE_OWN_PROBES

OwnKernelFile probe(const std::string& name) {
  return {STREAMGAGE_OWN_PROBES "/" + name + ".so", "somecc -O9", name + ".c"};
}

TEST(OwnKernel, ItsRecordSaysWhatItMoves) {
  const auto kernel = load_own_kernel(probe("triad"), 0, 60.0);
  ASSERT_TRUE(kernel) << kernel.error().message;
  const Json record = to_record(**kernel, 1000);
  EXPECT_EQ(record["name"], "own-triad");
  EXPECT_EQ(record["loads"], 2);
  EXPECT_EQ(record["stores"], 1);
  EXPECT_EQ(record["write_allocates"], true);
  EXPECT_EQ(record["flops"], 2.0);
  EXPECT_EQ(record["own"]["source"], "triad.c");
  EXPECT_EQ(record["own"]["read_bytes"], 16.0);
  EXPECT_EQ(record["own"]["written_bytes"], 8.0);
  EXPECT_EQ(record["own"]["allocated_bytes"], 8.0);
  EXPECT_EQ(record["own"]["has_check"], true);
  EXPECT_EQ(record["own"]["arrays"][2], (Json{{"name", "c"},
                                              {"type", "double"},
                                              {"access", "read"},
                                              {"bytes", 8.0},
                                              {"elements", 1000}}));
}

TEST(OwnKernel, AllocatesNothingOfWhatItReads) {
  const auto kernel = load_own_kernel(probe("counts"), 0, 60.0);
  ASSERT_TRUE(kernel) << kernel.error().message;
  const Json record = to_record(**kernel, 10);
  EXPECT_EQ(record["write_allocates"], false);
  EXPECT_EQ(record["own"]["allocated_bytes"], 0.0);
  EXPECT_EQ(record["own"]["read_bytes"], 8.0);
  EXPECT_EQ(record["own"]["arrays"][1]["elements"], 5);
  EXPECT_EQ((*kernel)->type(), ArrayType::kInt32);
}

TEST(OwnKernel, ASharedObjectWithoutADeclarationIsRefused) {
  const auto kernel = load_own_kernel(probe("undeclared"), 0, 60.0);
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().message, HasSubstr("undeclared.c declares no kernel"));
}

TEST(OwnKernel, StandsBehindThoseOfTheCatalogue) {
  Plan plan;
  plan.kernels = {"triad"};
  plan.stores = std::vector<std::string>{"plain"};
  plan.own_kernels = {probe("stencil"), probe("triad")};
  const auto choice = choose_variants(plan);
  ASSERT_TRUE(choice) << choice.error().message;
  std::vector<std::string_view> names;
  for (const Variant& variant : choice->variants) {
    names.push_back(variant.kernel->name);
    EXPECT_EQ(variant.store, StoreMode::kPlain);
  }
  EXPECT_THAT(names, ElementsAre("triad", "stencil", "own-triad"));
  const Json record = to_record(choice->variants[1]);
  EXPECT_EQ(record["isa"], "as compiled");
  EXPECT_EQ(record["code"], "somecc -O9");
  EXPECT_EQ(record["type"], "float");
}

TEST(OwnKernel, ASecondOneOfTheSameNameIsLeftOut) {
  Plan plan;
  plan.own_kernels = {probe("triad"), probe("wrong")};
  const auto choice = choose_variants(plan);
  ASSERT_TRUE(choice) << choice.error().message;
  EXPECT_EQ(choice->variants.size(), 1U);
  ASSERT_EQ(choice->failures.size(), 1U);
  EXPECT_THAT(choice->failures[0].message, HasSubstr("the same name as the kernel of triad.c"));
}

#endif

}  // namespace
}  // namespace streamgage::engine
