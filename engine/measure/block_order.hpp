// The order of the variants within each block: random, and fixed by the recorded seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace streamgage::engine {

class BlockOrder {
 public:
  explicit BlockOrder(std::uint64_t seed) : random_(seed) {}

  // Draws the order of the next block: `members` each once.
  std::vector<std::size_t> next(std::vector<std::size_t> members);

 private:
  std::mt19937_64 random_;
};

// Returns the numbers from 0 to count - 1.
std::vector<std::size_t> numbers_below(std::size_t count);

}  // namespace streamgage::engine
