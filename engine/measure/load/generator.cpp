#include "measure/load/generator.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "kernels/catalogue.hpp"
#include "kernels/choose_variants.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

constexpr std::int64_t kPieceElements = 512;  // a page of doubles
constexpr double kOne = 1.0;
constexpr double kMinusOne = -1.0;
// A generator that was kept from running does not make up for more than so many pieces.
constexpr double kMostBehind = 16.0;

std::string_view kernel_of(Mix mix) {
  switch (mix) {
    case Mix::kReads:
      return "sum";
    case Mix::kTwoToOne:
      return "daxpy";
    case Mix::kOneToOne:
      break;
  }
  return "update";
}

double scalar_of(const Kernel& kernel) { return kernel.name == "update" ? kMinusOne : kOne; }

// What an element of a is after so many passes over ones.
double expected_after(const Kernel& kernel, std::int64_t passes) {
  if (kernel.name == "update") {
    return passes % 2 == 0 ? kOne : kMinusOne;
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
  plan.stores = std::vector<std::string>{"regular"};
  STREAMGAGE_TRY(auto choice, choose_variants(plan));
  return choice.variants.front();
}

Generator::Generator(Array a, Array b, std::int64_t elements)
    : a_(std::move(a)),
      b_(std::move(b)),
      elements_(elements),
      bytes_(std::make_unique<Counter>()) {}

Result<Generator> Generator::reserve(std::uint64_t bytes, bool huge_pages) {
  const std::int64_t elements =
      static_cast<std::int64_t>(bytes / sizeof(double)) / kPieceElements * kPieceElements;
  const auto rounded = static_cast<std::uint64_t>(elements) * sizeof(double);
  STREAMGAGE_TRY(auto a, Array::reserve(rounded, huge_pages));
  STREAMGAGE_TRY(auto b, Array::reserve(rounded, huge_pages));
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

void Generator::run(const Variant& variant, double interval, LoadSignals& signals) {
  const Kernel& kernel = *variant.kernel;
  if (!kernel.reduces() && last_ != nullptr && last_ != &kernel) {
    wrong_ += check();
  }
  const Operands operands = kernel.reduces() ? Operands{b_.data(), nullptr, nullptr, nullptr}
                                             : Operands{a_.data(), b_.data(), nullptr, nullptr};
  const double s = scalar_of(kernel);
  const std::uint64_t piece = bytes_of_a_piece(variant);
  const auto pause =
      std::chrono::duration_cast<Instant::duration>(std::chrono::duration<double>(interval));
  // Goes on where it was: what a cache still holds of the last run comes late.
  std::int64_t& at = kernel.reduces() ? read_position_ : position_;
  bool counted = false;
  Instant next = now();
  while (!signals.stop.load(std::memory_order_relaxed)) {
    const double value = variant.run.run(operands, s, at, at + kPieceElements, 1);
    if (kernel.reduces()) {
      wrong_ += value == static_cast<double>(kPieceElements) ? 0 : 1;
    }
    at += kPieceElements;
    if (at == elements_) {
      at = 0;
      passes_ += kernel.reduces() ? 0 : 1;
    }
    bytes_->value.store(bytes() + piece, std::memory_order_relaxed);  // no other thread writes
    if (!counted) {
      signals.running.fetch_add(1);
      counted = true;
    }
    if (interval > 0.0) {
      next += pause;
      if (seconds_between(next, now()) > kMostBehind * interval) {
        next = now();
      }
      while (now() < next && !signals.stop.load(std::memory_order_relaxed)) {
        relax();
      }
    }
  }
  if (!kernel.reduces()) {
    last_ = &kernel;
  }
}

std::int64_t Generator::check() {
  std::int64_t wrong = std::exchange(wrong_, 0);
  if (last_ != nullptr) {
    const auto* a = reinterpret_cast<const double*>(a_.data());
    const double ahead = expected_after(*last_, passes_ + 1);
    const double behind = expected_after(*last_, passes_);
    for (std::int64_t i = 0; i < elements_; ++i) {
      wrong += a[i] == (i < position_ ? ahead : behind) ? 0 : 1;
    }
    fill_a();
  }
  return wrong;
}

}  // namespace streamgage::engine
