#include "devices/device.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "devices/device_backends.hpp"
#include "devices/gpu_device.hpp"
#include "devices/opencl_device.hpp"
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

constexpr std::array<Backend, 3> kBackends{{{"cuda", gpu::open_cuda, gpu::list_cuda},
                                            {"hip", gpu::open_hip, gpu::list_hip},
                                            {"opencl", opencl::open, opencl::list}}};

// With the device that was asked for, also where its whole driver is missing.
Error naming(const std::string& id, Error error) {
  if (error.message.find(id) == std::string::npos) {
    error.message = fmt::format("{}: {}", id, error.message);
  }
  return error;
}

}  // namespace

std::span<const Backend> backends() { return kBackends; }

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

Result<std::unique_ptr<Device>> open_device(const std::string& id) {
  const std::string_view text = id;
  for (const Backend& backend : kBackends) {
    const std::size_t length = backend.word.size();
    if (text.substr(0, length) != backend.word || text.substr(length, 1) != ":") {
      continue;
    }
    const char* const end = text.data() + text.size();
    unsigned number = 0;
    const auto [last, error] = std::from_chars(text.data() + length + 1, end, number);
    if (error == std::errc{} && last == end) {
      return backend.open(number).map_error(
          [&id](Error cause) { return naming(id, std::move(cause)); });
    }
  }
  return usage_error(
      fmt::format("there is no device '{}': name one by its driver and number, such as cuda:0, "
                  "hip:0 or opencl:0",
                  id));
}

}  // namespace streamgage::engine
