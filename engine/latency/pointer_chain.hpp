// One cycle of pointers through every line of an array, in an order that no prefetcher foresees.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "streamgage/base/units.hpp"
#include "streamgage/memory/array.hpp"

namespace streamgage::engine {

// The start of each line: the address of the next line.
struct Link {
  const Link* next;
};

struct ChainOrder {
  std::size_t line_bytes = 64;
  std::uint64_t window_bytes = 8 * kMiB;
  std::uint64_t seed = 1;
};

// The chain goes through the array twice, first through the even lines, then through the odd ones,
// a window at a time and at random within it.
//
// - At random: no stride to learn, and thousands of 4 KiB pages in turn, more than any prefetcher
//   follows.
// - Every other line: processors fetch lines in pairs, or the neighbour of a line as well. Were
//   both of a pair in the same window, the second would often be in a cache already; like this it
//   has half a round's time to leave it.
// - In windows: the few huge pages of one stay in the first-level TLB, and small pages in the
//   second-level one, so that what is measured is memory and not the walk of page tables, which
//   streaming kernels hardly do either. (A virtual machine with Zen 5 cores: 142 to 144 ns with
//   every size from 64 MiB to 1 GiB, 145 to 150 on small pages; 201 at random through 1 GiB.)
// - Windows by address, and linked in the order of the walk: when the walk comes to a line, all
//   others have been used since, by the walk or by the making of the chain. So a cache that keeps
//   what was used last keeps nothing of a chain that is larger than it.
//
// Calls visit(line) for each line, in the order of the walk.
template <class Visit>
void visit_lines(std::uint64_t lines, const ChainOrder& order, Visit&& visit) {
  const std::uint64_t window = std::max(order.window_bytes / order.line_bytes, std::uint64_t{1});
  std::mt19937_64 random(order.seed);
  std::vector<std::uint64_t> numbers;
  for (const std::uint64_t parity : {0U, 1U}) {
    for (std::uint64_t begin = 0; begin < lines; begin += window) {
      const std::uint64_t end = std::min(begin + window, lines);
      numbers.clear();
      for (std::uint64_t line = begin + parity; line < end; line += 2) {
        numbers.push_back(line);
      }
      std::shuffle(numbers.begin(), numbers.end(), random);
      for (const std::uint64_t line : numbers) {
        visit(line);
      }
    }
  }
}

// A chain in that order.
class PointerChain {
 public:
  // Writes to all of the array, of at least one line: on the thread that will walk, which thereby
  // touches its pages first.
  PointerChain(Array array, const ChainOrder& order);

  [[nodiscard]] const Link* first() const { return first_; }
  [[nodiscard]] std::uint64_t lines() const { return lines_; }
  [[nodiscard]] const Array& array() const { return array_; }

 private:
  Array array_;
  std::uint64_t lines_;
  const Link* first_ = nullptr;
};

}  // namespace streamgage::engine
