// The real places of an array's pages, read back from the kernel after the first touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "streamgage/base/error.hpp"
#include "streamgage/memory/array.hpp"
#include "streamgage/memory/partition.hpp"

namespace streamgage {

// Returns the share of the array in huge pages, 0 to 1, from <proc>/self/smaps; nothing if the
// kernel does not report it.
std::optional<double> huge_page_share(std::span<const std::byte> array,
                                      const std::string& proc = "/proc");

// Returns the same for a whole array, from the kernel's own /proc.
inline std::optional<double> huge_page_share(const Array& array) {
  return huge_page_share(array.memory());
}

// Returns the same from the text of smaps, for the mapping that holds [begin, begin + bytes).
std::optional<double> huge_page_share(const std::string& smaps, std::uint64_t begin,
                                      std::uint64_t bytes);

// The nodes of pages, or why they are unknown.
struct PageNodes {
  std::vector<int> nodes;             // OS number of the NUMA node of each page asked for
  std::optional<std::string> reason;  // why there are none
};

// Returns the NUMA node of up to `most` pages, spread evenly over a range of an array's elements
// that starts at a page.
PageNodes nodes_of_pages(std::span<const std::byte> array, const Range& elements,
                         std::size_t element_bytes, int most);

// Returns the same for an array of the library.
inline PageNodes nodes_of_pages(const Array& array, const Range& elements,
                                std::size_t element_bytes, int most) {
  return nodes_of_pages(array.memory(), elements, element_bytes, most);
}

}  // namespace streamgage
