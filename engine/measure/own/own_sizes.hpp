// Divides the iterations of a user's kernel among the threads, and sets their number.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/own/own_kernel.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/partition.hpp"

namespace streamgage::engine {

std::uint64_t largest_array_bytes(const OwnKernel& kernel, std::int64_t iterations);
std::uint64_t all_arrays_bytes(const OwnKernel& kernel, std::int64_t iterations);

// Returns how many arrays of the largest one's size all of them amount to, rounded up.
int arrays_worth(const OwnKernel& kernel);

// Returns the most iterations, in whole grains, whose largest array has at most `bytes`, or all
// arrays together. It is an error if not even one grain fits.
Result<std::int64_t> iterations_of_array(const OwnKernel& kernel, std::uint64_t bytes);
Result<std::int64_t> iterations_of_set(const OwnKernel& kernel, std::uint64_t bytes);

// Returns one range per part, like partition(), in whole grains; some may be empty.
std::vector<Range> partition_iterations(const OwnKernel& kernel, std::int64_t iterations,
                                        int parts);

}  // namespace streamgage::engine
