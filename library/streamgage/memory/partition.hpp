// The elements of each thread, which first touches and later uses the same part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace streamgage {

// A range of elements.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;  // one past the last

  // Returns the number of elements.
  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

// Splits [0, elements) into one contiguous range per part, as evenly as its grain allows.
// Boundaries lie on huge pages if that costs less than 1/256 of a part, else on 4 KiB pages, else
// on 128-byte line pairs. So no two threads share a page, or at least no line. Parts of a few lines
// are split to the element.
std::vector<Range> partition(std::int64_t elements, std::size_t element_bytes, int parts);

// Returns one of these ranges, without making the others. Requires: 0 <= part < parts.
Range part_of(std::int64_t elements, std::size_t element_bytes, int parts, int part);

}  // namespace streamgage
