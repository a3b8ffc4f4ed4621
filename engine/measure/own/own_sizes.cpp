#include "measure/own/own_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace streamgage::engine {
namespace {

// Far more than any memory holds; sizes stay within 64 bits.
constexpr std::int64_t kMostIterations = std::int64_t{1} << 40U;
constexpr double kLinePair = 128.0;

using BytesOf = std::uint64_t (*)(const OwnKernel&, std::int64_t);

Result<std::int64_t> iterations_within(const OwnKernel& kernel, std::uint64_t bytes,
                                       BytesOf bytes_of, const char* what) {
  // The most grains that fit lie between `fits` and `too_many`.
  std::int64_t fits = 0;
  std::int64_t too_many = std::max<std::int64_t>(kMostIterations / kernel.grain, 1) + 1;
  while (too_many - fits > 1) {
    const std::int64_t middle = fits + (too_many - fits) / 2;
    (bytes_of(kernel, middle * kernel.grain) <= bytes ? fits : too_many) = middle;
  }
  if (fits == 0) {
    return usage_error(
        fmt::format("{} bytes are too few for {} of the kernel {}: its smallest step of {} "
                    "iterations needs {} bytes; ask for more",
                    bytes, what, kernel.name, kernel.grain, bytes_of(kernel, kernel.grain)));
  }
  return fits * kernel.grain;
}

double bytes_of_iteration(const OwnArray& array) {
  return array.per_iteration * static_cast<double>(size_of(array.type));
}

double largest_bytes_of_iteration(const OwnKernel& kernel) {
  double largest = 0.0;
  for (const OwnArray& array : kernel.arrays) {
    largest = std::max(largest, bytes_of_iteration(array));
  }
  return largest;
}

}  // namespace

std::uint64_t largest_array_bytes(const OwnKernel& kernel, std::int64_t iterations) {
  std::uint64_t largest = 0;
  for (const OwnArray& array : kernel.arrays) {
    largest = std::max(largest, array.array_bytes(iterations));
  }
  return largest;
}

std::uint64_t all_arrays_bytes(const OwnKernel& kernel, std::int64_t iterations) {
  std::uint64_t all = 0;
  for (const OwnArray& array : kernel.arrays) {
    all += array.array_bytes(iterations);
  }
  return all;
}

int arrays_worth(const OwnKernel& kernel) {
  double all = 0.0;
  for (const OwnArray& array : kernel.arrays) {
    all += bytes_of_iteration(array);
  }
  return static_cast<int>(std::ceil(all / largest_bytes_of_iteration(kernel)));
}

Result<std::int64_t> iterations_of_array(const OwnKernel& kernel, std::uint64_t bytes) {
  return iterations_within(kernel, bytes, &largest_array_bytes, "the largest array");
}

Result<std::int64_t> iterations_of_set(const OwnKernel& kernel, std::uint64_t bytes) {
  return iterations_within(kernel, bytes, &all_arrays_bytes, "all arrays");
}

std::vector<Range> partition_iterations(const OwnKernel& kernel, std::int64_t iterations,
                                        int parts) {
  // Where a grain has more than a few lines, neighbours share little.
  const double grain_bytes = largest_bytes_of_iteration(kernel) * static_cast<double>(kernel.grain);
  const auto bytes = static_cast<std::size_t>(std::clamp(grain_bytes, 1.0, kLinePair));
  std::vector<Range> ranges = partition(iterations / kernel.grain, bytes, parts);
  for (Range& range : ranges) {
    range = {range.begin * kernel.grain, range.end * kernel.grain};
  }
  return ranges;
}

}  // namespace streamgage::engine
