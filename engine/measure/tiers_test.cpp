#include "measure/tiers.hpp"

#include <gtest/gtest.h>

#include "kernels/catalogue.hpp"

namespace streamgage::engine {
namespace {

Plan plan_with_tiers() {
  Plan plan;
  plan.tiers = {{{"triad", "copy"}, {{"plain", "streaming"}}}, {{"copy", "update"}, std::nullopt}};
  return plan;
}

Variant variant_of(const char* kernel, StoreMode store) {
  Variant variant;
  variant.kernel = find_kernel(kernel).value();
  variant.store = store;
  return variant;
}

TEST(Tiers, TakeTheFirstThatNamesKernelAndStores) {
  const Plan plan = plan_with_tiers();
  EXPECT_EQ(tier_of(plan, variant_of("copy", StoreMode::kPlain)), (TierPlace{0, 3}));
  EXPECT_EQ(tier_of(plan, variant_of("copy", StoreMode::kRegular)), (TierPlace{1, 1}));
  EXPECT_EQ(tier_of(plan, variant_of("update", StoreMode::kPlain)), (TierPlace{1, 3}));
  EXPECT_EQ(tier_of(plan, variant_of("add", StoreMode::kPlain)), (TierPlace{2, 0}));
}

TEST(Tiers, TakeForcedReadsBeforeWhatTheyAreComparedWith) {
  const Plan plan = plan_with_tiers();
  Variant forced = variant_of("copy", StoreMode::kRegular);
  const std::size_t usual = tier_of(plan, forced).place;
  forced.purpose = Purpose::kForcedRead;
  EXPECT_LT(tier_of(plan, forced).place, usual);
}

TEST(Tiers, LeaveTunedShapesForLaterUnlessTheyWereAskedFor) {
  Plan plan = plan_with_tiers();
  Variant tuned = variant_of("copy", StoreMode::kStreaming);
  tuned.tuned = true;
  EXPECT_EQ(tier_of(plan, tuned).tier, 2);
  plan.shape = AccessShape{};
  EXPECT_EQ(tier_of(plan, tuned).tier, 0);
  plan.shape.reset();
  tuned.purpose = Purpose::kForcedRead;  // what explains figures is no tuned figure
  EXPECT_EQ(tier_of(plan, tuned).tier, 0);
}

TEST(Tiers, AreOneWhereThePlanHasNone) {
  Plan plan;
  EXPECT_EQ(count_tiers(plan), 1);
  EXPECT_EQ(tier_of(plan, variant_of("add", StoreMode::kPlain)).tier, 0);
  plan.tuning = TuningRequest{};
  plan.tuning->first = false;
  EXPECT_FALSE(searches_last(plan));
}

TEST(Tiers, EndWithTheSearchWhereItMayWait) {
  Plan plan = plan_with_tiers();
  EXPECT_EQ(count_tiers(plan), 3);
  plan.tuning = TuningRequest{};
  EXPECT_EQ(count_tiers(plan), 3);
  plan.tuning->first = false;
  EXPECT_EQ(count_tiers(plan), 4);
  EXPECT_EQ(tier_of_search(plan), 3);
}

}  // namespace
}  // namespace streamgage::engine
