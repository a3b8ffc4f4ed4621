// What a node should reach, as a person writes it: "triad=420GB/s,-5%".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/catalogue.hpp"
#include "kernels/store_mode.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// The rate that a kernel should reach, in bytes per second.
struct ExpectedRate {
  const Kernel* kernel = nullptr;
  StoreMode store = StoreMode::kPlain;
  double rate = 0.0;
  double tolerance = 0.0;  // the share of it that may be missing

  [[nodiscard]] double limit() const { return rate * (1.0 - tolerance); }
};

// Returns the kernel, with the kind of stores unless they are plain: "triad streaming".
std::string name_of(const ExpectedRate& expected);

// Reads "triad=420GB/s" or "triad streaming=0.6TB/s,-5%"; anything else is an error.
Result<ExpectedRate> parse_expected_rate(std::string_view text);

// Reads several; no figure may have two limits.
Result<std::vector<ExpectedRate>> parse_expected_rates(const std::vector<std::string>& texts);

}  // namespace streamgage::engine
