#include "latency/pointer_chain.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace streamgage::engine {

PointerChain::PointerChain(Array array, const ChainOrder& order)
    : array_(std::move(array)), lines_(array_.bytes() / order.line_bytes) {
  const std::uint64_t window = std::max(order.window_bytes / order.line_bytes, std::uint64_t{1});
  std::mt19937_64 random(order.seed);
  std::vector<Link*> links;
  Link* last = nullptr;
  for (const std::uint64_t parity : {0U, 1U}) {
    for (std::uint64_t begin = 0; begin < lines_; begin += window) {
      const std::uint64_t end = std::min(begin + window, lines_);
      links.clear();
      for (std::uint64_t line = begin + parity; line < end; line += 2) {
        links.push_back(reinterpret_cast<Link*>(array_.data() + line * order.line_bytes));
      }
      std::shuffle(links.begin(), links.end(), random);
      for (Link* link : links) {
        (last == nullptr ? first_ : last->next) = link;
        last = link;
      }
    }
  }
  if (last != nullptr) {
    last->next = first_;
  }
}

}  // namespace streamgage::engine
