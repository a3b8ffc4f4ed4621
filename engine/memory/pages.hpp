// Where the pages of an array really are, read back from the kernel after the first touch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "memory/array.hpp"
#include "memory/partition.hpp"

namespace streamgage {

// Share of the array in huge pages, 0 to 1, from <proc>/self/smaps; nothing where the kernel does
// not tell.
std::optional<double> huge_page_share(const Array& array, const std::string& proc = "/proc");

// The same from the text of smaps, for the mapping that holds [begin, begin + bytes).
std::optional<double> huge_page_share(const std::string& smaps, std::uint64_t begin,
                                      std::uint64_t bytes);

struct PageNodes {
  std::vector<int> nodes;             // OS number of the NUMA node of each page asked for
  std::optional<std::string> reason;  // why there are none
};

// The NUMA node of up to `most` pages spread evenly over a range of the array's elements.
PageNodes nodes_of_pages(const Array& array, const Range& elements, std::size_t element_bytes,
                         int most);

}  // namespace streamgage
