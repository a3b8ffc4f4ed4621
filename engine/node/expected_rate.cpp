#include "node/expected_rate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

constexpr const char* kHowToExpect = "give one such as triad=420GB/s or triad=420GB/s,-5%";
// Bytes a second.
constexpr double kLeastExpected = 1.0;
constexpr double kMostExpected = 1e15;
constexpr std::array<std::pair<std::string_view, double>, 3> kRateUnits{
    {{"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}}};

tl::unexpected<Error> refuse_expectation(std::string_view text, std::string_view why) {
  return usage_error(fmt::format("--expect '{}' {}: {}", text, why, kHowToExpect));
}

// An error that names the option and its text.
template <class T>
Result<T> of_expectation(std::string_view text, Result<T> found) {
  return found ? found : usage_error(fmt::format("--expect '{}': {}", text, found.error().message));
}

// Takes a number from the start of the text; nothing where there is none. One that is too large or
// too small for a double is NaN, which no limit allows.
std::optional<double> take_number(std::string_view& text) {
  double value = 0.0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (error != std::errc{} || !std::isfinite(value)) {
    return {};
  }
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(' ');
  return end == std::string_view::npos ? "" : text.substr(start, end + 1 - start);
}

}  // namespace

std::string name_of(const ExpectedRate& expected) {
  return name_of_figure(expected.kernel->name, expected.store);
}

Result<ExpectedRate> parse_expected_rate(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    return refuse_expectation(text, "names no figure");
  }
  ExpectedRate expected;
  const std::string_view name = without_blanks(text.substr(0, equals));
  const std::size_t space = name.find(' ');
  if (name.empty()) {
    return refuse_expectation(text, "names no figure");
  }
  STREAMGAGE_TRY(expected.kernel, of_expectation(text, find_kernel(name.substr(0, space))));
  if (space != std::string_view::npos) {
    const std::string_view store = without_blanks(name.substr(space));
    STREAMGAGE_TRY(expected.store, of_expectation(text, find_store_mode(store)));
  }
  std::string_view rest = without_blanks(text.substr(equals + 1));
  const auto number = take_number(rest);
  if (!number) {
    return refuse_expectation(text, "has no number");
  }
  rest = without_blanks(rest);
  const auto* unit = std::find_if(kRateUnits.begin(), kRateUnits.end(),
                                  [&](const auto& each) { return rest.starts_with(each.first); });
  if (unit == kRateUnits.end()) {
    return refuse_expectation(text, "has no unit (GB/s, MB/s or TB/s)");
  }
  expected.rate = *number * unit->second;
  if (!(expected.rate >= kLeastExpected && expected.rate <= kMostExpected)) {
    return refuse_expectation(text, "is not a rate from 1 byte/s to 1000 TB/s");
  }
  rest = without_blanks(rest.substr(unit->first.size()));
  if (rest.empty()) {
    return expected;
  }
  if (!rest.starts_with(",")) {
    return refuse_expectation(text, fmt::format("ends with '{}'", rest));
  }
  rest = without_blanks(rest.substr(1));
  const auto percent = rest.starts_with("-") ? take_number(rest) : std::nullopt;
  if (!percent || without_blanks(rest) != "%" || !(*percent > -100)) {
    return refuse_expectation(text, "has no percentage from -0 % to -99 % after its comma");
  }
  expected.tolerance = -*percent / 100.0;
  return expected;
}

Result<std::vector<ExpectedRate>> parse_expected_rates(const std::vector<std::string>& texts) {
  std::vector<ExpectedRate> expected;
  for (const std::string& text : texts) {
    STREAMGAGE_TRY(const auto rate, parse_expected_rate(text));
    const auto same = [&rate](const ExpectedRate& other) {
      return other.kernel == rate.kernel && other.store == rate.store;
    };
    if (std::any_of(expected.begin(), expected.end(), same)) {
      return usage_error(
          fmt::format("--expect names {} twice: give one figure for it", name_of(rate)));
    }
    expected.push_back(rate);
  }
  return expected;
}

}  // namespace streamgage::engine
