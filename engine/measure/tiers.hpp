// The parts of a plan that are measured one after the other.
#pragma once

#include <cstddef>

#include "base/plan.hpp"
#include "kernels/variant.hpp"

namespace streamgage::engine {

// The tier of a variant, from 0, and its place in it: lower places are taken first if there is no
// time for all.
struct TierPlace {
  int tier = 0;
  std::size_t place = 0;

  bool operator==(const TierPlace&) const = default;
};

// A tuned variant is in no tier of the plan unless the user gave its shape.
TierPlace tier_of(const Plan& plan, const Variant& variant);

// Returns how many tiers a run has: those of the plan, one for the remaining variants, and one for
// shapes that were found at the end. One if the plan has none.
int count_tiers(const Plan& plan);

// Returns the tier of the shapes that are found after everything else is measured.
int tier_of_search(const Plan& plan);

// Returns whether shapes are tuned in the time that is left after everything else.
bool searches_last(const Plan& plan);

}  // namespace streamgage::engine
