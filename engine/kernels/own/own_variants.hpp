// The variants of a plan's own kernels.
#pragma once

#include "base/plan.hpp"
#include "kernels/variant.hpp"

namespace streamgage::engine {

// Adds one for each own kernel of the plan, or why it cannot be had.
void add_own_variants(const Plan& plan, VariantChoice& choice);

}  // namespace streamgage::engine
