#include "measure/expectation.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/libc_kernels.hpp"
#include "kernels/reference.hpp"

namespace streamgage::engine {

// Well mixed over i.
double mixed_eighth(std::uint64_t i, std::uint64_t salt) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ULL + salt * 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 29U;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 32U;
  const auto eighths = static_cast<double>(x % 8 + 1) / 8.0;
  return (x & 8U) != 0 ? eighths : -eighths;
}

namespace {

constexpr auto kSize = static_cast<std::size_t>(Expectation::kPeriod);

std::vector<double> mixed_pattern(std::uint64_t salt) {
  std::vector<double> pattern(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    pattern[i] = mixed_eighth(i, salt);
  }
  return pattern;
}

// The second half mirrors the first with the given sign; the three in the middle are what a
// period of odd length and no zero needs to sum to zero.
std::vector<double> mirrored_pattern(std::uint64_t salt, double sign,
                                     const std::array<double, 3>& middle) {
  std::vector<double> pattern = mixed_pattern(salt);
  const std::size_t half = (kSize - middle.size()) / 2;
  std::copy(middle.begin(), middle.end(), pattern.begin() + static_cast<std::ptrdiff_t>(half));
  for (std::size_t i = 0; i < half; ++i) {
    pattern[kSize - 1 - i] = sign * pattern[i];
  }
  return pattern;
}

template <class T>
double apply(const Kernel& kernel, double a, double b, double c, double d, double s) {
  return static_cast<double>(reference<T>(
      kernel.id, {static_cast<T>(a), static_cast<T>(b), static_cast<T>(c), static_cast<T>(d)},
      static_cast<T>(s)));
}

}  // namespace

Expectation::Expectation(ElementType type)
    : type_(type),
      first_{mixed_pattern(1), mirrored_pattern(2, -1.0, {0.125, 0.25, -0.375}),
             mirrored_pattern(3, 1.0, {0.5, 0.5, 0.5}), mixed_pattern(4)},
      patterns_(first_) {}

std::vector<double> Expectation::after(const Kernel& kernel, double s, std::int64_t passes) const {
  const auto& [a, b, c, d] = patterns_;
  std::vector<double> result = a;
  if (kernel.reduces()) {
    return result;
  }
  // Kernels that read a add the same to it in each pass; update changes its sign, which an odd
  // number of passes does once. Values are exact, so that so many passes are so many times one.
  const auto steps = (kernel.reads & kA) != 0 && kernel.id != KernelId::kUpdate
                         ? static_cast<double>(passes)
                         : 1.0;
  for (std::size_t i = 0; i < kSize; ++i) {
    const double once = type_ == ElementType::kDouble
                            ? apply<double>(kernel, a[i], b[i], c[i], d[i], s)
                            : apply<float>(kernel, a[i], b[i], c[i], d[i], s);
    result[i] = steps == 1.0 ? once : a[i] + steps * (once - a[i]);
  }
  return result;
}

void Expectation::advance(const Kernel& kernel, double s, std::int64_t passes) {
  patterns_[0] = after(kernel, s, passes);
}

bool Expectation::would_round(std::int64_t passes) const {
  // In sixty-fourths, the finest that products make, 2^18 has 24 bits; see kMostPasses.
  constexpr double kMost = 1 << 16;
  return std::any_of(patterns_[0].begin(), patterns_[0].end(), [passes](double value) {
    return std::abs(value) > kMost || (passes > 1 && value * 64.0 != std::round(value * 64.0));
  });
}

void Expectation::reset() { patterns_[0] = first_[0]; }

void Expectation::set_all(double value) { patterns_[0].assign(kSize, value); }

double Expectation::reduction(const Kernel& kernel, std::int64_t elements) const {
  double sum = 0.0;
  // Whole periods sum to zero.
  for (std::size_t i = 0; i < static_cast<std::size_t>(elements % kPeriod); ++i) {
    sum += apply<double>(kernel, patterns_[1][i], patterns_[2][i], 0.0, 0.0, 0.0);
  }
  return sum;
}

double scalar_of_run(const Variant& variant, std::int64_t run) {
  const bool even = run % 2 == 0;
  if (variant.store == StoreMode::kLibc) {
    return element_of_byte(even ? 0x3f : 0xbf, variant.type);
  }
  if (variant.kernel->id == KernelId::kUpdate) {
    return -1.0;  // keeps the magnitude
  }
  return even ? 0.5 : -0.5;
}

}  // namespace streamgage::engine
