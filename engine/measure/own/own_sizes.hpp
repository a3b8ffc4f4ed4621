// How many iterations a user's kernel does, and which thread does which.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/own/own_kernel.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/partition.hpp"

namespace streamgage::engine {

std::uint64_t largest_array_bytes(const OwnKernel& kernel, std::int64_t iterations);
std::uint64_t all_arrays_bytes(const OwnKernel& kernel, std::int64_t iterations);

// As many arrays of the largest one's size as all of them come to, rounded up.
int arrays_worth(const OwnKernel& kernel);

// The most iterations, whole grains, whose largest array has at most so many bytes, or all arrays
// together; an error where not one grain fits.
Result<std::int64_t> iterations_of_array(const OwnKernel& kernel, std::uint64_t bytes);
Result<std::int64_t> iterations_of_set(const OwnKernel& kernel, std::uint64_t bytes);

// One range a part, as partition() has them, of whole grains; there may be empty ones.
std::vector<Range> partition_iterations(const OwnKernel& kernel, std::int64_t iterations,
                                        int parts);

}  // namespace streamgage::engine
