// Placement expressions as they are written: LIKWID's notation of threads and their CPUs.
//
//   expr    := part ('@' part)*            concatenated in order
//   part    := method | E | L | domlist | domain | phys
//   method  := PREFIX ':' ('scatter'|'balanced'|'cbalanced') [':' n]
//   E       := 'E:' DOM [':' n [':' chunk ':' stride [':' offset]]]
//   L       := 'L:' DOM ':' list           the same as domlist
//   domlist := DOM ':' list                indexes into the sorted order of the domain
//   domain  := DOM                         the whole domain, in compact order
//   phys    := list                        OS numbers; inside a restricted cpuset L:N:list
//   list    := item (',' item)*            item := n | n '-' n, also descending
//   DOM     := 'N' | ('S'|'D'|'C'|'M') n   PREFIX may leave n out: all of that kind
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "streamgage/base/error.hpp"

namespace streamgage {

enum class DomainKind : char {
  kNode = 'N',
  kSocket = 'S',
  kDie = 'D',
  kCache = 'C',  // last-level cache
  kMemory = 'M',
};

struct DomainName {
  DomainKind kind = DomainKind::kNode;
  int number = 0;
};

// A range of indexes that includes both ends. It runs down if the last is below the first.
struct IndexRange {
  int first = 0;
  int last = 0;
};

struct WholeDomain {
  DomainName domain;
};

struct ListedInDomain {
  DomainName domain;
  std::vector<IndexRange> indexes;
};

struct StridedInDomain {
  DomainName domain;
  std::optional<int> count = std::nullopt;
  int chunk = 1;
  int stride = 1;
  int offset = 0;
};

enum class SpreadMethod { kScatter, kBalanced, kCoresBalanced };

struct SpreadOverDomains {
  DomainKind kind = DomainKind::kNode;
  std::optional<int> number;  // none: all domains of that kind
  SpreadMethod method = SpreadMethod::kScatter;
  std::optional<int> count;
};

struct NumberedCpus {
  std::vector<IndexRange> cpus;
};

struct ExpressionPart {
  std::string text;
  std::variant<WholeDomain, ListedInDomain, StridedInDomain, SpreadOverDomains, NumberedCpus> what;
};

struct Expression {
  std::string text;
  std::vector<ExpressionPart> parts;
};

// Parses an expression. An error names the wrong part, and says what would be right. Blanks around
// numbers and parts are ignored. The largest number is 2^20, and the longest text has 65,536
// characters.
Result<Expression> parse_expression(std::string_view text);

}  // namespace streamgage
