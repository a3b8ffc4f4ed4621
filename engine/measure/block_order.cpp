#include "measure/block_order.hpp"

#include <numeric>
#include <utility>

namespace streamgage::engine {

std::vector<std::size_t> BlockOrder::next(std::vector<std::size_t> members) {
  // Fisher and Yates, spelled out because std::shuffle differs between libraries: a seed must give
  // the same order everywhere.
  for (std::size_t left = members.size(); left > 1; --left) {
    std::swap(members[left - 1], members[random_() % left]);
  }
  return members;
}

std::vector<std::size_t> numbers_below(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

}  // namespace streamgage::engine
