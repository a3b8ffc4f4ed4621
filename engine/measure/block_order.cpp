#include "measure/block_order.hpp"

#include <numeric>
#include <utility>

namespace streamgage::engine {

BlockOrder::BlockOrder(std::uint64_t seed, std::size_t variants) : random_(seed), order_(variants) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

const std::vector<std::size_t>& BlockOrder::next() {
  // Fisher and Yates, spelled out because std::shuffle differs between libraries: a seed must give
  // the same order everywhere.
  for (std::size_t left = order_.size(); left > 1; --left) {
    std::swap(order_[left - 1], order_[random_() % left]);
  }
  return order_;
}

}  // namespace streamgage::engine
