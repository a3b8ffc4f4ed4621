// Sizes and rates as people read them. Inside the program everything is bytes and seconds.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace streamgage {

// Bytes.
constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint64_t kGiB = 1024 * kMiB;

// Returns the smallest multiple of the step that is at least the value.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

// Returns a size such as "2 GiB", "1040 MiB" or "17 B": in the largest unit that divides the size
// or leaves at least 10 of it, with at most one decimal.
std::string format_bytes(std::uint64_t bytes);

// Returns a count with its noun: "1 thread", "2 threads".
template <std::integral Number>
std::string count_of(Number number, std::string_view word) {
  return std::to_string(number) + ' ' + std::string(word) + (number == 1 ? "" : "s");
}

}  // namespace streamgage
