// Numbers in what is written: any integer fits into one, whatever its type.
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>
#include <variant>

namespace streamgage::engine {

// A whole number.
class WholeNumber {
 public:
  template <std::integral Integer>
  constexpr WholeNumber(Integer value)  // NOLINT(google-explicit-constructor): stands for it
      : value_(of(value)) {}

  [[nodiscard]] constexpr const std::variant<std::int64_t, std::uint64_t>& value() const {
    return value_;
  }
  friend constexpr bool operator==(const WholeNumber&, const WholeNumber&) = default;

 private:
  template <class Integer>
  static constexpr std::variant<std::int64_t, std::uint64_t> of(Integer value) {
    if (std::in_range<std::int64_t>(value)) {
      return static_cast<std::int64_t>(value);
    }
    return static_cast<std::uint64_t>(value);
  }

  std::variant<std::int64_t, std::uint64_t> value_;
};

// A number that stays whole if it is.
class AnyNumber {
 public:
  template <std::integral Integer>
  constexpr AnyNumber(Integer value)  // NOLINT(google-explicit-constructor): stands for it
      : value_(static_cast<std::int64_t>(value)) {}
  constexpr AnyNumber(double value)  // NOLINT(google-explicit-constructor): stands for it
      : value_(value) {}

  [[nodiscard]] constexpr const std::variant<std::int64_t, double>& value() const { return value_; }

 private:
  std::variant<std::int64_t, double> value_;
};

}  // namespace streamgage::engine
