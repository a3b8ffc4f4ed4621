// Follows what every array must hold after any sequence of kernels. So results can be checked
// element by element and to the last bit.
// Element i of an array starts as entry i mod 1021 of that array's pattern. All kernels write the
// same array, a, and none of them mixes elements, so that the state of a stays a pattern: it is
// followed by applying each kernel to 1021 entries. The values are multiples of 1/8 in [-1, 1] and
// none is zero, the scalars alternate in sign: sums and products are exact, and nothing grows
// faster than by two a pass, so that a stays exact until would_round() says that it must be filled
// again. b sums to zero over a period, and so does b*c: a reduction over any number of elements is
// exact in any order of additions, in float too.
//
// Random values are drawn by the seed, and in double they are multiples of 2^-16: products are
// multiples of 2^-32 below 2^18, which 53 bits hold. Constant ones are one value an array. There a
// reduction does not stay near zero: b and b*c are a power of two, so that it is exact in any order
// as long as a thread adds no more terms than most_exact_terms().
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/plan.hpp"
#include "kernels/variant.hpp"

namespace streamgage::engine {

// Element i of an array at first: a multiple of 1/8 in [-1, 1] other than 0; `salt`
// distinguishes arrays.
double mixed_eighth(std::uint64_t i, std::uint64_t salt);

struct InitialValues {
  Init init = Init::kPattern;
  std::uint64_t seed = 0;  // of random ones
};

// Returns the most terms of a reduction by one thread whose sum is exact in any order. Nothing:
// there is no limit.
std::optional<std::int64_t> most_exact_terms(Init init, ElementType type);

class Expectation {
 public:
  static constexpr std::int64_t kPeriod = 1021;  // prime: no vector width or stride divides it

  explicit Expectation(ElementType type, const InitialValues& values = {});

  // The pattern of operand 0 (a) to 3 (d), as it must be now; exact in the element type.
  [[nodiscard]] const std::vector<double>& pattern(int operand) const {
    return patterns_.at(static_cast<std::size_t>(operand));
  }

  // The most passes of one run for which everything stays exact, in float, too.
  static constexpr std::int64_t kMostPasses = (1 << 16) - 1;

  // Returns what a would be after an odd number of passes. A reduction leaves it unchanged.
  [[nodiscard]] std::vector<double> after(const Kernel& kernel, double s,
                                          std::int64_t passes) const;

  // Notes that the kernel has made those passes over the whole of a.
  void advance(const Kernel& kernel, double s, std::int64_t passes);

  // Returns whether so many passes over the present a would round: its values have grown too much,
  // or memset has written values that are no multiples of the unit.
  [[nodiscard]] bool would_round(std::int64_t passes) const;

  // Notes that a was filled with its first pattern again.
  void reset();

  // Notes that a was filled with one value.
  void set_all(double value);

  // Returns the value of a reduction over the first `elements` elements of its arrays:
  // b for sum, b and c for dot, which no kernel writes.
  [[nodiscard]] double reduction(const Kernel& kernel, std::int64_t elements) const;

 private:
  ElementType type_;
  double unit_;  // what every value of a is a multiple of, until memset writes one
  std::array<std::vector<double>, 4> first_;
  std::array<std::vector<double>, 4> patterns_;
};

// The scalar of a variant's run number `run` (0, 1, ...): it changes sign from run to run, so that
// one run can be distinguished from the next.
double scalar_of_run(const Variant& variant, std::int64_t run);

}  // namespace streamgage::engine
