#include "measure/expectation.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/libc_kernels.hpp"
#include "kernels/reference.hpp"

namespace streamgage::engine {

namespace {

// Well mixed over i.
std::uint64_t mixed(std::uint64_t i, std::uint64_t salt) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ULL + salt * 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 29U;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 32U;
  return x;
}

// A multiple of 1/parts in [-1, 1] other than 0; `parts` is a power of two.
double drawn(std::uint64_t x, std::uint64_t parts) {
  const auto value = static_cast<double>(x % parts + 1) / static_cast<double>(parts);
  return (x & parts) != 0 ? value : -value;
}

}  // namespace

double mixed_eighth(std::uint64_t i, std::uint64_t salt) { return drawn(mixed(i, salt), 8); }

std::optional<std::int64_t> most_exact_terms(Init init, ElementType type) {
  if (init != Init::kConstant) {
    return std::nullopt;
  }
  return std::int64_t{1} << (type == ElementType::kDouble ? 53U : 24U);
}

namespace {

constexpr auto kSize = static_cast<std::size_t>(Expectation::kPeriod);
constexpr std::uint64_t kFinest = 1U << 16U;

using Patterns = std::array<std::vector<double>, 4>;

std::vector<double> mixed_pattern(std::uint64_t salt, std::uint64_t parts) {
  std::vector<double> pattern(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    pattern[i] = drawn(mixed(i, salt), parts);
  }
  return pattern;
}

// The second half mirrors the first with the given sign; the three in the middle are what a
// period of odd length and no zero needs to sum to zero.
std::vector<double> mirrored_pattern(std::vector<double> pattern, double sign,
                                     const std::array<double, 3>& middle) {
  const std::size_t half = (kSize - middle.size()) / 2;
  std::copy(middle.begin(), middle.end(), pattern.begin() + static_cast<std::ptrdiff_t>(half));
  for (std::size_t i = 0; i < half; ++i) {
    pattern[kSize - 1 - i] = sign * pattern[i];
  }
  return pattern;
}

// `salt`: of the whole; each array has one of its own.
Patterns mixed_patterns(std::uint64_t salt, std::uint64_t parts) {
  return {mixed_pattern(salt + 1, parts),
          mirrored_pattern(mixed_pattern(salt + 2, parts), -1.0, {0.125, 0.25, -0.375}),
          mirrored_pattern(mixed_pattern(salt + 3, parts), 1.0, {0.5, 0.5, 0.5}),
          mixed_pattern(salt + 4, parts)};
}

// Unlike each other, and so are the results of the kernels.
Patterns constant_patterns() {
  const auto all = [](double value) { return std::vector<double>(kSize, value); };
  return {all(-1.0), all(0.25), all(1.0), all(0.125)};
}

std::uint64_t parts_of(ElementType type, Init init) {
  return type == ElementType::kDouble && init == Init::kRandom ? kFinest : 8;
}

Patterns first_patterns(ElementType type, const InitialValues& values) {
  switch (values.init) {
    case Init::kConstant:
      return constant_patterns();
    case Init::kRandom:
      return mixed_patterns(mixed(values.seed, 5), parts_of(type, values.init));
    case Init::kPattern:
      break;
  }
  return mixed_patterns(0, parts_of(type, values.init));
}

// That of a product of two values; scalars halve single values alone, which are coarser.
double unit_of(ElementType type, Init init) {
  const auto parts = static_cast<double>(parts_of(type, init));
  return 1.0 / (parts * parts);
}

template <class T>
double apply(const Kernel& kernel, double a, double b, double c, double d, double s) {
  return static_cast<double>(reference<T>(
      kernel.id, {static_cast<T>(a), static_cast<T>(b), static_cast<T>(c), static_cast<T>(d)},
      static_cast<T>(s)));
}

}  // namespace

Expectation::Expectation(ElementType type, const InitialValues& values)
    : type_(type),
      unit_(unit_of(type, values.init)),
      first_(first_patterns(type, values)),
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
  // In sixty-fourths, the finest that products of eighths make, 2^18 has 24 bits; see kMostPasses.
  constexpr double kMost = 1 << 16;
  return std::any_of(patterns_[0].begin(), patterns_[0].end(), [this, passes](double value) {
    return std::abs(value) > kMost || (passes > 1 && value / unit_ != std::round(value / unit_));
  });
}

void Expectation::reset() { patterns_[0] = first_[0]; }

void Expectation::set_all(double value) { patterns_[0].assign(kSize, value); }

double Expectation::reduction(const Kernel& kernel, std::int64_t elements) const {
  const auto sum_of = [&](std::int64_t terms) {
    double sum = 0.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(terms); ++i) {
      sum += apply<double>(kernel, patterns_[1][i], patterns_[2][i], 0.0, 0.0, 0.0);
    }
    return sum;
  };
  // Whole periods of mixed values sum to zero.
  const std::int64_t periods = elements / kPeriod;
  return static_cast<double>(periods) * sum_of(kPeriod) + sum_of(elements % kPeriod);
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
