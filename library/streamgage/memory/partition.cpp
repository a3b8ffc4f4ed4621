#include "streamgage/memory/partition.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "streamgage/base/units.hpp"
#include "streamgage/memory/array.hpp"

namespace streamgage {
namespace {

constexpr std::uint64_t kLinePair = 128;
constexpr std::uint64_t kGrainsAPart = 256;
constexpr std::uint64_t kFewLines = 8;

std::int64_t grain_elements(std::uint64_t part_bytes, std::size_t element_bytes) {
  // An element that is larger than a grain is one by itself.
  const auto elements = [element_bytes](std::uint64_t grain) {
    return static_cast<std::int64_t>(std::max<std::uint64_t>(grain / element_bytes, 1));
  };
  for (const std::uint64_t grain : std::array{kHugePage, 4 * kKiB}) {
    if (grain * kGrainsAPart <= part_bytes) {
      return elements(grain);
    }
  }
  // Of a few lines, sharing one costs less than an idle thread.
  return part_bytes >= kFewLines * kLinePair ? elements(kLinePair) : 1;
}

std::uint64_t bytes_of_part(std::int64_t elements, std::size_t element_bytes, int parts) {
  const auto each = static_cast<std::uint64_t>(elements) / static_cast<std::uint64_t>(parts);
  return each > UINT64_MAX / element_bytes ? UINT64_MAX : each * element_bytes;
}

}  // namespace

Range part_of(std::int64_t elements, std::size_t element_bytes, int parts, int part) {
  const std::int64_t grain =
      grain_elements(bytes_of_part(elements, element_bytes, parts), element_bytes);
  const std::int64_t grains = elements / grain;
  // Whole grains are dealt out evenly, the first parts getting one more; the last part ends where
  // the array does.
  const auto begin = [&](std::int64_t number) {
    return (grains / parts * number + std::min<std::int64_t>(number, grains % parts)) * grain;
  };
  return {begin(part), part + 1 == parts ? elements : begin(std::int64_t{part} + 1)};
}

std::vector<Range> partition(std::int64_t elements, std::size_t element_bytes, int parts) {
  std::vector<Range> ranges;
  ranges.reserve(static_cast<std::size_t>(parts));
  for (int part = 0; part < parts; ++part) {
    ranges.push_back(part_of(elements, element_bytes, parts, part));
  }
  return ranges;
}

}  // namespace streamgage
