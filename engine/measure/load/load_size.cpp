#include "measure/load/load_size.hpp"

#include <algorithm>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

constexpr std::uint64_t kTimesTheCache = 4;
constexpr std::uint64_t kLeastLoad = 16 * kMiB;
constexpr std::uint64_t kWithoutCaches = 256 * kMiB;

bool holds(const CpuList& cpus, int cpu) {
  return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

}  // namespace

std::uint64_t bytes_of_each_load(const Machine& machine, const CpuList& cpus) {
  std::uint64_t most = kLeastLoad;
  for (const int cpu : cpus) {
    int level = 0;
    std::uint64_t bytes = 0;
    for (const Cache& cache : machine.caches) {
      for (const CpuList& shared_by : cache.shared_by) {
        if (cache.level > level && holds(shared_by, cpu)) {
          const auto sharers = std::count_if(cpus.begin(), cpus.end(),
                                             [&](int each) { return holds(shared_by, each); });
          level = cache.level;
          bytes = kTimesTheCache * cache.bytes / static_cast<std::uint64_t>(sharers);
        }
      }
    }
    most = std::max(most, level == 0 ? kWithoutCaches / cpus.size() : bytes);
  }
  return most;
}

}  // namespace streamgage::engine
