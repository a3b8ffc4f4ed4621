// Which elements each thread works on: the same part is first touched and later used by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace streamgage {

// A range of elements.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;  // one past the last

  // How many elements there are.
  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

// Splits [0, elements) into one contiguous range a part, as even as its grain allows. Boundaries
// lie on huge pages where a part is large enough for that to cost less than 1/256 of it, else on
// 4 KiB pages, else on 128-byte line pairs, so that no two threads share a page, or at least no
// line; parts of a few lines are split to the element.
std::vector<Range> partition(std::int64_t elements, std::size_t element_bytes, int parts);

}  // namespace streamgage
