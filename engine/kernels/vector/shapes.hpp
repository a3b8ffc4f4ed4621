// The access shapes that exist, and their names in text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/access_shape.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/vector/vector_kernels.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Returns an error if the shape does not exist; it names those that do.
Result<void> check_shape(const AccessShape& shape);

// Returns the shape without settings that have no effect on that kernel and store: a prefetch of
// something that is not read, or for a store that must not read, or a block with only one stream.
AccessShape that_matters(AccessShape shape, const Kernel& kernel, VectorStore store);

// Returns the shapes that the tuner races, the default one first; none twice.
std::vector<AccessShape> candidate_shapes(const Kernel& kernel, VectorStore store);

}  // namespace streamgage::engine
