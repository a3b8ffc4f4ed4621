#include "measure/load/generator.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "kernels/catalogue.hpp"
#include "kernels/choose_variants.hpp"
#include "measure/load/pacer.hpp"
#include "measure/load/steering.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

constexpr std::int64_t kPieceElements = 512;  // a page of doubles
// A call of a kernel ends with all of its stores done, which takes a while where they are
// streaming.
constexpr int kMostPiecesOfACall = 16;
constexpr double kOne = 1.0;
constexpr double kMinusOne = -1.0;
constexpr double kTwo = 2.0;

std::string_view kernel_of(Mix mix) {
  switch (mix) {
    case Mix::kReads:
      return "sum";
    case Mix::k3To1:
      return "sdaxpy";
    case Mix::kStreaming:
      return "init";
    case Mix::k2To1:
      return "daxpy";
    case Mix::k1To1:
      break;
  }
  return "update";
}

double scalar_of(const Kernel& kernel) {
  if (kernel.id == KernelId::kInit) {
    return kTwo;
  }
  return kernel.id == KernelId::kUpdate ? kMinusOne : kOne;
}

// What an element of a is after so many passes over ones.
double expected_after(const Kernel& kernel, std::int64_t passes) {
  if (kernel.id == KernelId::kUpdate) {
    return passes % 2 == 0 ? kOne : kMinusOne;
  }
  if (kernel.id == KernelId::kInit) {
    return passes == 0 ? kOne : kTwo;
  }
  return kOne + static_cast<double>(passes);
}

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

Result<Variant> variant_of(Mix mix) {
  Plan plan;
  plan.kernels = {std::string(kernel_of(mix))};
  plan.stores = std::vector<std::string>{mix == Mix::kStreaming ? "streaming" : "regular"};
  STREAMGAGE_TRY(auto choice, choose_variants(plan));
  return choice.variants.front();
}

Generator::Generator(Array a, Array b, std::int64_t elements)
    : a_(std::move(a)),
      b_(std::move(b)),
      elements_(elements),
      bytes_(std::make_unique<Counter>()),
      beats_(std::make_unique<Counter>()) {}

Result<Generator> Generator::reserve(std::uint64_t bytes, PageSize pages) {
  const std::int64_t elements =
      static_cast<std::int64_t>(bytes / sizeof(double)) / kPieceElements * kPieceElements;
  const auto rounded = static_cast<std::uint64_t>(elements) * sizeof(double);
  STREAMGAGE_TRY(auto a, Array::reserve(rounded, pages));
  STREAMGAGE_TRY(auto b, Array::reserve(rounded, pages));
  return Generator(std::move(a), std::move(b), elements);
}

void Generator::touch() {
  std::fill_n(reinterpret_cast<double*>(b_.data()), elements_, kOne);
  fill_a();
}

void Generator::fill_a() {
  std::fill_n(reinterpret_cast<double*>(a_.data()), elements_, kOne);
  position_ = 0;
  passes_ = 0;
  last_ = nullptr;
}

std::uint64_t Generator::bytes_of_a_piece(const Variant& variant) {
  const auto streams = static_cast<std::uint64_t>(variant.kernel->loads()) +
                       static_cast<std::uint64_t>(variant.kernel->store_count());
  return streams * kPieceElements * sizeof(double);
}

std::int64_t Generator::span_of(const Kernel& kernel) const {
  const bool reads_two_more = (kernel.reads & kB) != 0 && (kernel.reads & kC) != 0;
  return reads_two_more ? elements_ / 2 / kPieceElements * kPieceElements : elements_;
}

void Generator::run(const Variant& variant, int place, LoadSignals& signals) {
  const Kernel& kernel = *variant.kernel;
  if (!kernel.reduces() && last_ != nullptr && last_ != &kernel) {
    wrong_ += check();
  }
  const auto* b = reinterpret_cast<const double*>(b_.data());
  const Operands operands = kernel.reduces() ? Operands{b_.data(), nullptr, nullptr, nullptr}
                                             : Operands{a_.data(), b, b + span_of(kernel), nullptr};
  Pacer pacer;
  signals.running.fetch_add(1);
  while (!signals.stop.load(std::memory_order_relaxed)) {
    const double duty = duty_of(signals.effort.load(std::memory_order_relaxed), place);
    if (duty <= 0.0) {
      relax();
      continue;
    }
    const int pieces = pacer.pieces(duty);
    const Instant start = now();
    stream(variant, operands, pieces);
    const Instant end = now();
    const double rest = pacer.rest_after(pieces, seconds_between(start, end), duty);
    double rested = 0.0;
    while (rested < rest && !signals.stop.load(std::memory_order_relaxed)) {
      relax();
      beat();
      rested = seconds_between(end, now());
    }
    pacer.rested(rested);
  }
  if (!kernel.reduces()) {
    last_ = &kernel;
  }
}

void Generator::stream(const Variant& variant, const Operands& operands, int pieces) {
  const Kernel& kernel = *variant.kernel;
  const std::int64_t span = span_of(kernel);
  // Goes on where it was: what a cache still holds of the last run comes late.
  std::int64_t& at = kernel.reduces() ? read_position_ : position_;
  for (int left = pieces; left > 0;) {
    const std::int64_t most = std::min(left, kMostPiecesOfACall) * kPieceElements;
    const std::int64_t elements = std::min(most, span - at);
    const double value = variant.run.run(operands, scalar_of(kernel), at, at + elements, 1);
    if (kernel.reduces()) {
      wrong_ += value == static_cast<double>(elements) ? 0 : 1;
    }
    at += elements;
    if (at == span) {
      at = 0;
      passes_ += kernel.reduces() ? 0 : 1;
    }
    const auto done = static_cast<int>(elements / kPieceElements);
    left -= done;
    // No other thread writes.
    bytes_->value.store(bytes() + static_cast<std::uint64_t>(done) * bytes_of_a_piece(variant),
                        std::memory_order_relaxed);
    beat();
  }
}

std::int64_t Generator::check() {
  std::int64_t wrong = std::exchange(wrong_, 0);
  if (last_ != nullptr) {
    const auto* a = reinterpret_cast<const double*>(a_.data());
    const double ahead = expected_after(*last_, passes_ + 1);
    const double behind = expected_after(*last_, passes_);
    const std::int64_t span = span_of(*last_);
    for (std::int64_t i = 0; i < elements_; ++i) {
      const double right = i < position_ ? ahead : i < span ? behind : kOne;
      wrong += a[i] == right ? 0 : 1;
    }
    fill_a();
  }
  return wrong;
}

}  // namespace streamgage::engine
