#include "measure/thread_series.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace streamgage::engine {
namespace {

// Of each array and thread: a millisecond and more for a thread by itself. Windows are taken in
// turn, so that none is met again before the caches were filled with others.
constexpr std::int64_t kWindowBytes = std::int64_t{16} << 20U;
constexpr std::int64_t kMostWindows = 64;

bool in_series(const Variant& variant, KernelId kernel) {
  return variant.kernel->id == kernel && variant.store == StoreMode::kRegular &&
         variant.purpose == Purpose::kRate && variant.shape;
}

}  // namespace

ThreadSeries thread_series(const std::vector<Variant>& variants, const Workload& workload,
                           int threads, int first_id) {
  ThreadSeries series;
  if (threads < 2) {
    return series;
  }
  const std::int64_t part_bytes =
      workload.window_elements(1, 1) * static_cast<std::int64_t>(size_of(workload.type()));
  series.windows = std::clamp(part_bytes / kWindowBytes, std::int64_t{1}, kMostWindows);
  for (const KernelId kernel : {KernelId::kSum, KernelId::kTriad}) {
    // A tuned variant stands behind its standard one.
    const auto last = std::find_if(variants.rbegin(), variants.rend(), [&](const Variant& variant) {
      return in_series(variant, kernel);
    });
    if (last == variants.rend()) {
      continue;
    }
    for (const int number : std::set<int>{1, (threads + 1) / 2, threads}) {
      Variant point = *last;
      point.id = first_id + static_cast<int>(series.variants.size());
      point.purpose = Purpose::kSeries;
      point.threads = number;
      point.elements = workload.window_elements(series.windows, number);
      series.variants.push_back(std::move(point));
    }
  }
  return series;
}

int arrays_of_series(const std::vector<Variant>& variants) {
  std::vector<Variant> used;
  std::copy_if(variants.begin(), variants.end(), std::back_inserter(used),
               [](const Variant& variant) {
                 return in_series(variant, KernelId::kSum) || in_series(variant, KernelId::kTriad);
               });
  return arrays_needed(used);
}

}  // namespace streamgage::engine
