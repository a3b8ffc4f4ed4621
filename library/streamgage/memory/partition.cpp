#include "streamgage/memory/partition.hpp"

#include <algorithm>
#include <array>

#include "streamgage/base/units.hpp"
#include "streamgage/memory/array.hpp"

namespace streamgage {
namespace {

constexpr std::uint64_t kLinePair = 128;
constexpr std::uint64_t kGrainsAPart = 256;
constexpr std::uint64_t kFewLines = 8;

std::int64_t grain_elements(std::uint64_t part_bytes, std::size_t element_bytes) {
  for (const std::uint64_t grain : std::array{kHugePage, 4 * kKiB}) {
    if (grain * kGrainsAPart <= part_bytes) {
      return static_cast<std::int64_t>(grain / element_bytes);
    }
  }
  // Of a few lines, sharing one costs less than an idle thread.
  return part_bytes >= kFewLines * kLinePair ? static_cast<std::int64_t>(kLinePair / element_bytes)
                                             : 1;
}

}  // namespace

std::vector<Range> partition(std::int64_t elements, std::size_t element_bytes, int parts) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(elements) * element_bytes;
  const std::int64_t grain =
      grain_elements(bytes / static_cast<std::uint64_t>(parts), element_bytes);
  const std::int64_t grains = elements / grain;
  std::vector<Range> ranges(static_cast<std::size_t>(parts));
  std::int64_t begin = 0;
  for (int part = 0; part < parts; ++part) {
    // Whole grains are dealt out evenly, the first parts getting one more; the last part ends
    // where the array does.
    const std::int64_t share = grains / parts + (part < grains % parts ? 1 : 0);
    const std::int64_t end = part + 1 == parts ? elements : begin + share * grain;
    ranges[static_cast<std::size_t>(part)] = {begin, end};
    begin = end;
  }
  return ranges;
}

}  // namespace streamgage
