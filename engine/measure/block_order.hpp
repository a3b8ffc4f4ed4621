// The order of the variants within each block: random, and fixed by the recorded seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace streamgage::engine {

class BlockOrder {
 public:
  BlockOrder(std::uint64_t seed, std::size_t variants);

  // The next block's order: each of 0 .. variants - 1 once.
  const std::vector<std::size_t>& next();

 private:
  std::mt19937_64 random_;
  std::vector<std::size_t> order_;
};

}  // namespace streamgage::engine
