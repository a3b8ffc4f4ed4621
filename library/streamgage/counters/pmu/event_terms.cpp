#include "streamgage/counters/pmu/event_terms.hpp"

#include <charconv>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

std::optional<std::uint64_t> parse_value(std::string_view text) {
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  text.remove_prefix(is_hexadecimal ? 2 : 0);
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, is_hexadecimal ? 16 : 10);
  if (error != std::errc{} || stop != end) {
    return std::nullopt;
  }
  return value;
}

std::optional<EventTerm> parse_term(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const auto value = equals == std::string_view::npos ? std::optional<std::uint64_t>(1)
                                                      : parse_value(text.substr(equals + 1));
  if (name.empty() || !value) {
    return std::nullopt;
  }
  return EventTerm{name, *value};
}

std::optional<EventFormat> find_field(const EventFormats& formats, const std::string& name) {
  if (const auto field = formats.find(name); field != formats.end()) {
    return field->second;
  }
  // A whole word has no format file.
  const auto whole = parse_event_format(name + ":0-63");
  return whole ? std::optional(*whole) : std::nullopt;
}

}  // namespace

Result<std::vector<EventTerm>> parse_event_terms(std::string_view text) {
  std::string_view rest = trim_blanks(text);
  std::vector<EventTerm> terms;
  while (true) {
    const std::size_t comma = rest.find(',');
    auto term = parse_term(trim_blanks(rest.substr(0, comma)));
    if (!term) {
      return failure(fmt::format("'{}' is not a term of an event", rest.substr(0, comma)));
    }
    terms.push_back(std::move(*term));
    if (comma == std::string_view::npos) {
      return terms;
    }
    rest.remove_prefix(comma + 1);
  }
}

Result<ConfigWords> encode_event(const EventFormats& formats, std::string_view terms) {
  STREAMGAGE_TRY(const auto parsed, parse_event_terms(terms));
  ConfigWords words{};
  for (const auto& [name, value] : parsed) {
    const auto field = find_field(formats, name);
    if (!field) {
      return failure(fmt::format("the PMU has no field for the term '{}'", name));
    }
    if (const auto placed = place_value(*field, value, words); !placed) {
      return failure(fmt::format("the term '{}': {}", name, placed.error().message));
    }
  }
  return words;
}

}  // namespace streamgage
