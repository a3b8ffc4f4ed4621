#include "kernels/vector/shapes.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "kernels/vector/prefetch.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

constexpr std::int64_t kLeastBlock = 1024;
constexpr std::int64_t kLargestBlock = 1 << 20;
constexpr std::int64_t kFarthest = 64 << 10;

Result<void> check_distance(const char* name, const std::optional<std::int64_t>& bytes) {
  if (!bytes) {
    return {};
  }
  if (!kHasPrefetch) {
    return usage_error(fmt::format(
        "this architecture has no prefetch instruction, so there is no {}; leave it out", name));
  }
  if (*bytes < 0 || *bytes > kFarthest || *bytes % kLineBytes != 0) {
    return usage_error(
        fmt::format("there is no {} of {} bytes: choose a multiple of {} from 0 to {}", name,
                    *bytes, kLineBytes, format_bytes(kFarthest)));
  }
  return {};
}

}  // namespace

Result<void> check_shape(const AccessShape& shape) {
  constexpr std::array kStreams{1, 2, 4, 8};
  if (std::find(kStreams.begin(), kStreams.end(), shape.streams) == kStreams.end()) {
    return usage_error(
        fmt::format("there is no shape of {} streams: choose 1, 2, 4 or 8", shape.streams));
  }
  const std::int64_t block = shape.block_bytes;
  const bool is_block = block == 0 || (block >= kLeastBlock && block <= kLargestBlock &&
                                       std::has_single_bit(static_cast<std::uint64_t>(block)));
  if (!is_block) {
    return usage_error(
        fmt::format("there is no interleave block of {} bytes: choose a power of two from {} to "
                    "{}, or 0 for streams as far apart as possible",
                    block, format_bytes(kLeastBlock), format_bytes(kLargestBlock)));
  }
  STREAMGAGE_TRY(check_distance("read prefetch distance", shape.read_prefetch_bytes));
  return check_distance("write prefetch distance", shape.write_prefetch_bytes);
}

AccessShape that_matters(AccessShape shape, const Kernel& kernel, VectorStore store) {
  if (shape.streams == 1) {
    shape.block_bytes = 0;
  }
  if (kernel.loads() == 0) {
    shape.read_prefetch_bytes.reset();
  }
  if (kernel.reduces() || store == VectorStore::kStreaming) {
    shape.write_prefetch_bytes.reset();
  }
  return shape;
}

std::vector<AccessShape> candidate_shapes(const Kernel& kernel, VectorStore store) {
  using Distance = std::optional<std::int64_t>;
  const std::vector<Distance> none{std::nullopt};
  const std::vector<Distance> one{std::nullopt, 1024};
  std::vector<AccessShape> shapes;
  const auto add = [&](int streams, std::int64_t block, const std::vector<Distance>& read,
                       const std::vector<Distance>& write) {
    for (const Distance& ahead : kHasPrefetch ? read : none) {
      for (const Distance& before : kHasPrefetch ? write : none) {
        const AccessShape shape = that_matters({streams, block, ahead, before}, kernel, store);
        if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
          shapes.push_back(shape);
        }
      }
    }
  };
  add(1, 0, {std::nullopt, 1024, 2048, 4096, 8192}, {std::nullopt, 0, 1024, 4096});
  for (const int streams : {2, 4, 8}) {
    for (const std::int64_t block : {0, 4096, 65536}) {
      add(streams, block, one, one);
    }
  }
  return shapes;
}

}  // namespace streamgage::engine
