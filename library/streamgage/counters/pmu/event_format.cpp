#include "streamgage/counters/pmu/event_format.hpp"

#include <optional>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

constexpr std::uint64_t kBitsOfAWord = 64;

std::optional<std::size_t> word_named(std::string_view name) {
  constexpr std::array<std::string_view, 4> kWords{"config", "config1", "config2", "config3"};
  for (std::size_t word = 0; word < kWords.size(); ++word) {
    if (kWords.at(word) == name) {
      return word;
    }
  }
  return std::nullopt;
}

// "0-7" or "18".
Result<std::uint64_t> parse_range(std::string_view range) {
  const std::size_t dash = range.find('-');
  const auto first = parse_unsigned(range.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_unsigned(range.substr(dash + 1));
  if (!first || !last || *first > *last) {
    return failure(fmt::format("'{}' is not a range of bits", range));
  }
  if (*last >= kBitsOfAWord) {
    return failure(fmt::format("'{}' names a bit beyond 63", range));
  }
  std::uint64_t mask = 0;
  for (std::uint64_t bit = *first; bit <= *last; ++bit) {
    mask |= std::uint64_t{1} << bit;
  }
  return mask;
}

}  // namespace

Result<EventFormat> parse_event_format(std::string_view text) {
  text = trim_blanks(text);
  const std::size_t colon = text.find(':');
  const auto word = word_named(text.substr(0, colon));
  if (!word || colon == std::string_view::npos) {
    return failure(fmt::format("'{}' is not a field of config, config1, config2 or config3", text));
  }
  EventFormat format{*word, 0};
  std::string_view rest = text.substr(colon + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    STREAMGAGE_TRY(const auto mask, parse_range(rest.substr(0, comma)));
    format.mask |= mask;
    if (comma == std::string_view::npos) {
      return format;
    }
    rest.remove_prefix(comma + 1);
  }
}

Result<void> place_value(const EventFormat& format, std::uint64_t value, ConfigWords& words) {
  std::uint64_t rest = value;
  std::uint64_t placed = 0;
  for (std::uint64_t bit = 0; bit < kBitsOfAWord; ++bit) {
    const std::uint64_t here = std::uint64_t{1} << bit;
    if ((format.mask & here) != 0) {
      placed |= (rest & 1U) != 0 ? here : 0;
      rest >>= 1U;
    }
  }
  if (rest != 0) {
    return failure(fmt::format("the value {:#x} is too wide for it", value));
  }
  std::uint64_t& word = words.at(format.word);
  word = (word & ~format.mask) | placed;
  return {};
}

}  // namespace streamgage
