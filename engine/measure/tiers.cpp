#include "measure/tiers.hpp"

#include <algorithm>

#include "kernels/catalogue.hpp"
#include "kernels/store_mode.hpp"

namespace streamgage::engine {
namespace {

bool names_store(const Tier& tier, StoreMode store) {
  return !tier.stores ||
         std::find(tier.stores->begin(), tier.stores->end(), name_of(store)) != tier.stores->end();
}

}  // namespace

TierPlace tier_of(const Plan& plan, const Variant& variant) {
  if (variant.own) {
    return {};
  }
  const auto left = static_cast<int>(plan.tiers.size());
  if (variant.tuned && variant.purpose == Purpose::kRate && !plan.shape) {
    return {left, 0};
  }
  for (int number = 0; number < left; ++number) {
    const Tier& tier = plan.tiers[static_cast<std::size_t>(number)];
    const auto named = std::find(tier.kernels.begin(), tier.kernels.end(), variant.kernel->name);
    if (named != tier.kernels.end() && names_store(tier, variant.store)) {
      // Forced reads decide more than the figure that they are compared with.
      const std::size_t behind = variant.purpose == Purpose::kForcedRead ? 0 : 1;
      return {number, 2 * static_cast<std::size_t>(named - tier.kernels.begin()) + behind};
    }
  }
  return {left, 0};
}

int count_tiers(const Plan& plan) {
  return plan.tiers.empty() ? 1 : tier_of_search(plan) + (searches_last(plan) ? 1 : 0);
}

int tier_of_search(const Plan& plan) { return static_cast<int>(plan.tiers.size()) + 1; }

bool searches_last(const Plan& plan) {
  return !plan.tiers.empty() && plan.tuning && !plan.tuning->first;
}

}  // namespace streamgage::engine
