#include "devices/device.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

// Few have as much: the last-level cache of an AMD Instinct MI300X (CDNA 3 white paper).
constexpr std::uint64_t kLargestCacheBytes = 256 * kMiB;

// To copy so much takes the quickest GPUs, of 4 to 7 TB/s, 0.3 to 0.5 ms. Between two launches they
// have some microseconds without work. BabelStream's arrays have a quarter of it.
constexpr std::uint64_t kUsualArrayBytes = kGiB;
// All arrays together then have at most a quarter of the memory.
constexpr std::uint64_t kUsualShareOfMemory = 16;

}  // namespace

std::uint64_t rule_cache_bytes(const DeviceFacts& facts) {
  return facts.cache_bytes > 0 ? facts.cache_bytes : kLargestCacheBytes;
}

std::uint64_t usual_array_bytes(const DeviceFacts& facts) {
  return facts.kind == "gpu"
             ? std::min(kUsualArrayBytes, facts.memory_bytes / kUsualShareOfMemory / kMiB * kMiB)
             : 0;
}

Result<std::unique_ptr<PinnedMemory>> Device::allocate_pinned(std::uint64_t /*bytes*/) {
  return failure(fmt::format("{}: its driver pins no memory of the host", facts().id));
}

Result<double> Device::transfer(std::span<const Transfer> /*transfers*/, std::int64_t /*times*/) {
  return failure(fmt::format("{}: its driver has no copies that can be measured", facts().id));
}

Result<bool> Device::reach(Device& other) {
  return usage_error(
      fmt::format("copies between {} and {} are not measured: name two GPUs by CUDA, or two by HIP",
                  facts().id, other.facts().id));
}

}  // namespace streamgage::engine
