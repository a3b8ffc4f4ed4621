// Variants and the code that they run.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "base/access_shape.hpp"
#include "base/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/store_mode.hpp"
#include "kernels/variant.hpp"
#include "kernels/vector/vector_kernels.hpp"

namespace streamgage::engine {

// A variant, or the reason why there is none on this machine.
using MaybeVariant = tl::expected<Variant, std::string>;

// Returns the kernel with that store mode and instruction set, in the default shape.
MaybeVariant make_variant(const Kernel& kernel, StoreMode mode, const Plan& plan,
                          const VectorTarget& target);

// Returns the same kernel with the same stores in another shape; requires vector code. The variant
// leaves out the prefetches that its store mode does not use.
Variant reshaped(const Variant& standard, const AccessShape& shape);

}  // namespace streamgage::engine
