// Measures how bandwidth grows with threads: sum and triad with one thread, half of them and all,
// over windows of the arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/variant.hpp"
#include "measure/workload.hpp"

namespace streamgage::engine {

struct ThreadSeries {
  std::vector<Variant> variants;  // a kernel and number of threads each
  std::int64_t windows = 1;       // that every part is cut into
};

// Returns the series for the measured kernels, with the fastest shape of ordinary stores. It is
// empty for a team of one, and if neither kernel is measured with vectors. Its variants are
// numbered from `first_id`.
ThreadSeries thread_series(const std::vector<Variant>& variants, const Workload& workload,
                           int threads, int first_id);

// Returns the number of arrays that the series of these variants needs.
int arrays_of_series(const std::vector<Variant>& variants);

}  // namespace streamgage::engine
