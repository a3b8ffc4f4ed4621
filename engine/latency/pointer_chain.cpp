#include "latency/pointer_chain.hpp"

#include <utility>

namespace streamgage::engine {

PointerChain::PointerChain(Array array, const ChainOrder& order)
    : array_(std::move(array)), lines_(array_.bytes() / order.line_bytes) {
  Link* last = nullptr;
  visit_lines(lines_, order, [&](std::uint64_t line) {
    auto* const link = reinterpret_cast<Link*>(array_.data() + line * order.line_bytes);
    (last == nullptr ? first_ : last->next) = link;
    last = link;
  });
  if (last != nullptr) {
    last->next = first_;
  }
}

}  // namespace streamgage::engine
