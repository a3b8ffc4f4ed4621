#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/placement/expression/syntax.hpp"
#include "streamgage/placement/expression/wording.hpp"

namespace streamgage {
namespace {

constexpr std::size_t kLongestText = 1 << 16;
constexpr int kLargestNumber = 1 << 20;
constexpr std::string_view kDomainLetters = "NSDCM";

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpaces = " \t";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t end = text.find(separator);
    pieces.push_back(trim(text.substr(0, end)));
    if (end == std::string_view::npos) {
      return pieces;
    }
    text.remove_prefix(end + 1);
  }
}

std::optional<int> number_of(std::string_view text) {
  int value = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < 0 || value > kLargestNumber) {
    return std::nullopt;
  }
  return value;
}

// One part of an expression, cut at its colons.
class PartParser {
 public:
  explicit PartParser(std::string_view text) : text_(text), fields_(split(text, ':')) {}

  // In the order of the grammar: method, E, L, a list in a domain, a domain, CPUs.
  [[nodiscard]] Result<ExpressionPart> parse() const {
    ExpressionPart part{std::string(text_), WholeDomain{}};
    const auto keep = [&](auto&& read) -> Result<ExpressionPart> {
      if (!read) {
        return tl::unexpected<Error>(std::move(read.error()));
      }
      part.what = std::move(*read);
      return std::move(part);
    };
    if (fields_.size() > 1 && method_in(fields_[1])) {
      return keep(parse_method());
    }
    if (fields_[0] == "E") {
      return keep(parse_strided());
    }
    if (fields_[0] == "L") {
      return keep(parse_listed(1));
    }
    if (fields_.size() > 1) {
      return keep(parse_listed(0));
    }
    if (starts_with_letter()) {
      return keep(parse_whole());
    }
    return keep(parse_numbered());
  }

 private:
  static std::optional<SpreadMethod> method_in(std::string_view text) {
    constexpr std::array kMethods{std::pair{"scatter", SpreadMethod::kScatter},
                                  std::pair{"balanced", SpreadMethod::kBalanced},
                                  std::pair{"cbalanced", SpreadMethod::kCoresBalanced}};
    for (const auto& [name, method] : kMethods) {
      if (text == name) {
        return method;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool starts_with_letter() const {
    const char first = text_.empty() ? '0' : text_.front();
    return (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z');
  }

  [[nodiscard]] tl::unexpected<Error> refuse(const std::string& why) const {
    return usage_error(fmt::format("{}: {}", shown(text_), why));
  }

  // A letter, and a number or nothing.
  struct Prefix {
    DomainKind kind = DomainKind::kNode;
    std::optional<int> number;
  };

  [[nodiscard]] Result<Prefix> parse_prefix(std::string_view text) const {
    const bool known = !text.empty() && kDomainLetters.find(text.front()) != std::string_view::npos;
    const auto number = text.size() > 1 ? number_of(text.substr(1)) : std::nullopt;
    if (!known || (text.size() > 1 && !number)) {
      return refuse(
          fmt::format("{} is not a domain; domains are N (the node), and with a number S (socket), "
                      "D (die), C (last-level cache) and M (NUMA memory), such as S0",
                      quoted(text)));
    }
    return Prefix{static_cast<DomainKind>(text.front()), number};
  }

  [[nodiscard]] Result<DomainName> parse_domain(std::size_t field) const {
    if (field >= fields_.size()) {
      return refuse("a domain is missing; write for example N, S0 or M1");
    }
    STREAMGAGE_TRY(const auto prefix, parse_prefix(fields_[field]));
    if (prefix.kind != DomainKind::kNode && !prefix.number) {
      return refuse(fmt::format(
          "{0} has no number; write {0}0 for the first one, or {0}:scatter for all of them",
          static_cast<char>(prefix.kind)));
    }
    if (prefix.number.value_or(0) > 0 && prefix.kind == DomainKind::kNode) {
      return refuse("there is only one node, N");
    }
    return DomainName{prefix.kind, prefix.number.value_or(0)};
  }

  // The number in that field, at least `least`; `value` is kept where there is no such field.
  template <class Value>
  [[nodiscard]] Result<void> read_count(std::size_t field, const char* what, int least,
                                        Value& value) const {
    if (field >= fields_.size()) {
      return {};
    }
    const auto number = number_of(fields_[field]);
    if (!number || *number < least) {
      return refuse(fmt::format("{} is not a valid {}; write a number from {} to {}",
                                quoted(fields_[field]), what, least, kLargestNumber));
    }
    value = *number;
    return {};
  }

  [[nodiscard]] Result<std::vector<IndexRange>> parse_list(std::string_view text) const {
    std::vector<IndexRange> ranges;
    for (const std::string_view item : split(text, ',')) {
      const std::size_t dash = item.find('-');
      const auto first = number_of(trim(item.substr(0, dash)));
      const auto last =
          dash == std::string_view::npos ? first : number_of(trim(item.substr(dash + 1)));
      if (!first || !last) {
        const std::string what = item.empty() ? "a number or range is missing"
                                              : quoted(item) + " is not a number or range";
        return refuse(what + "; write numbers such as 0-3,8");
      }
      ranges.push_back({*first, *last});
    }
    return ranges;
  }

  [[nodiscard]] Result<SpreadOverDomains> parse_method() const {
    STREAMGAGE_TRY(const auto prefix, parse_prefix(fields_[0]));
    SpreadOverDomains spread{prefix.kind, prefix.number, *method_in(fields_[1]), std::nullopt};
    if (spread.kind == DomainKind::kNode && spread.number.value_or(0) > 0) {
      return refuse("there is only one node, N");
    }
    if (fields_.size() > 3) {
      return refuse("only the number of CPUs may follow a method, such as S:scatter:4");
    }
    STREAMGAGE_TRY(read_count(2, "number of CPUs", 1, spread.count));
    return spread;
  }

  [[nodiscard]] Result<StridedInDomain> parse_strided() const {
    STREAMGAGE_TRY(const auto domain, parse_domain(1));
    if (fields_.size() == 4) {
      return refuse("a chunk needs a stride; write E:DOMAIN:COUNT:CHUNK:STRIDE");
    }
    if (fields_.size() > 6) {
      return refuse("there are too many fields; write at most E:DOMAIN:COUNT:CHUNK:STRIDE:OFFSET");
    }
    StridedInDomain strided{.domain = domain};
    STREAMGAGE_TRY(read_count(2, "number of CPUs", 1, strided.count));
    STREAMGAGE_TRY(read_count(3, "chunk", 1, strided.chunk));
    STREAMGAGE_TRY(read_count(4, "stride", 1, strided.stride));
    STREAMGAGE_TRY(read_count(5, "offset", 0, strided.offset));
    return strided;
  }

  [[nodiscard]] Result<ListedInDomain> parse_listed(std::size_t first_field) const {
    STREAMGAGE_TRY(const auto domain, parse_domain(first_field));
    if (fields_.size() != first_field + 2) {
      return refuse(fmt::format("{} takes one list of indexes, such as {}:0-3",
                                fields_[first_field], fields_[first_field]));
    }
    STREAMGAGE_TRY(auto indexes, parse_list(fields_[first_field + 1]));
    return ListedInDomain{domain, std::move(indexes)};
  }

  [[nodiscard]] Result<WholeDomain> parse_whole() const {
    STREAMGAGE_TRY(const auto domain, parse_domain(0));
    return WholeDomain{domain};
  }

  [[nodiscard]] Result<NumberedCpus> parse_numbered() const {
    STREAMGAGE_TRY(auto cpus, parse_list(text_));
    return NumberedCpus{std::move(cpus)};
  }

  std::string_view text_;
  std::vector<std::string_view> fields_;
};

}  // namespace

Result<Expression> parse_expression(std::string_view text) {
  if (text.size() > kLongestText) {
    return usage_error(fmt::format("{} has {} characters; at most {} can be read", quoted(text),
                                   text.size(), kLongestText));
  }
  text = trim(text);
  if (text.empty()) {
    return usage_error("the placement is empty; write CPUs such as 0-3,8 or a domain such as S0");
  }
  Expression expression{std::string(text), {}};
  for (const std::string_view piece : split(text, '@')) {
    if (piece.empty()) {
      return usage_error(fmt::format(
          "{} has an empty part; separate parts with one @, such as S0:0-1@S1:0-1", quoted(text)));
    }
    STREAMGAGE_TRY(auto part, PartParser(piece).parse());
    expression.parts.push_back(std::move(part));
  }
  return expression;
}

}  // namespace streamgage
