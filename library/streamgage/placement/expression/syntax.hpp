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

// Both ends included; it runs down where the last is below the first.
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

// An error names the part that is no part of an expression, and says what is. Blanks around numbers
// and parts do not count; numbers end at 2^20 and a text at 65,536 characters.
Result<Expression> parse_expression(std::string_view text);

}  // namespace streamgage
