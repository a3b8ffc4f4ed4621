#include "streamgage/memory/pages.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace streamgage {
namespace {

constexpr int kMostPages = 1 << 20;  // more of an array show nothing that these do not

// Transparent huge pages, and those that were reserved.
bool is_huge(std::string_view property) {
  return property == "AnonHugePages:" || property == "Private_Hugetlb:";
}

}  // namespace

std::optional<double> huge_page_share(const std::string& smaps, std::uint64_t begin,
                                      std::uint64_t bytes) {
  std::istringstream lines(smaps);
  std::string line;
  bool inside = false;
  std::optional<std::uint64_t> huge_bytes;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    char dash = 0;
    // A mapping opens with "first-last permissions ..."; its properties follow as "Name: value kB".
    if (fields >> std::hex >> first >> dash >> last && dash == '-') {
      inside = first < begin + bytes && begin < last;
      continue;
    }
    std::istringstream property(line);
    std::string name;
    std::uint64_t kilobytes = 0;
    if (inside && property >> name >> kilobytes && is_huge(name)) {
      huge_bytes = huge_bytes.value_or(0) + kilobytes * 1024;
    }
  }
  if (!huge_bytes || bytes == 0) {
    return std::nullopt;
  }
  return std::min(1.0, static_cast<double>(*huge_bytes) / static_cast<double>(bytes));
}

std::optional<double> huge_page_share(std::span<const std::byte> array, const std::string& proc) {
  std::ifstream file(proc + "/self/smaps");
  std::ostringstream text;
  text << file.rdbuf();
  return huge_page_share(text.str(), reinterpret_cast<std::uintptr_t>(array.data()), array.size());
}

PageNodes nodes_of_pages(std::span<const std::byte> array, const Range& elements,
                         std::size_t element_bytes, int most) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t into_page = reinterpret_cast<std::uintptr_t>(array.data()) % page;
  const std::uint64_t first =
      into_page + static_cast<std::uint64_t>(elements.begin) * element_bytes;
  const std::uint64_t last = into_page + static_cast<std::uint64_t>(elements.end) * element_bytes;
  // Pages that lie wholly inside: the one at an edge may be another thread's.
  const std::uint64_t begin = (first + page - 1) / page;
  const std::uint64_t end = last / page;
  if (begin >= end) {
    return {{}, "each thread's part is smaller than a page"};
  }
  const auto wanted = static_cast<std::uint64_t>(std::clamp(most, 0, kMostPages));
  const std::uint64_t count = std::min(end - begin, wanted);
  std::vector<const void*> addresses;
  for (std::uint64_t i = 0; i < count; ++i) {
    addresses.push_back(array.data() - into_page + (begin + i * (end - begin) / count) * page);
  }
  std::vector<int> nodes(addresses.size(), -1);
  // With no target nodes, move_pages moves nothing and reports where each page is.
  if (syscall(SYS_move_pages, 0, addresses.size(), addresses.data(), nullptr, nodes.data(), 0) !=
      0) {
    return {{}, fmt::format("move_pages: {}", std::strerror(errno))};
  }
  if (std::any_of(nodes.begin(), nodes.end(), [](int node) { return node < 0; })) {
    return {{}, "the kernel does not know the node of every page"};
  }
  return {std::move(nodes), std::nullopt};
}

}  // namespace streamgage
