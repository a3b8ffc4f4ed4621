#include "streamgage/placement/expression/selection.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/placement/expression/spread.hpp"
#include "streamgage/placement/expression/wording.hpp"

namespace streamgage {
namespace {

std::int64_t length_of(const std::vector<IndexRange>& ranges) {
  std::int64_t length = 0;
  for (const IndexRange& range : ranges) {
    length += std::abs(range.last - range.first) + 1;
  }
  return length;
}

// Calls `visit` with every number in the order written, until it returns false.
template <class Visit>
void visit_numbers(const std::vector<IndexRange>& ranges, const Visit& visit) {
  for (const IndexRange& range : ranges) {
    const int step = range.first <= range.last ? 1 : -1;
    for (int number = range.first; number != range.last + step; number += step) {
      if (!visit(number)) {
        return;
      }
    }
  }
}

// "0-7", or "0".
std::string range_up_to(std::size_t count) {
  return count == 1 ? "0" : fmt::format("0-{}", count - 1);
}

class Selector {
 public:
  Selector(const ExpressionPart& part, const ThreadDomains& domains, Oversubscribe oversubscribe,
           std::size_t most)
      : text_(shown(part.text)),
        domains_(domains),
        wraps_(oversubscribe == Oversubscribe::kAllowed),
        most_(most) {}

  Result<CpuList> operator()(const WholeDomain& whole) const {
    STREAMGAGE_TRY(const auto* domain, find(whole.domain));
    return taken(domain->compact);
  }

  Result<CpuList> operator()(const ListedInDomain& listed) const {
    STREAMGAGE_TRY(const auto* domain, find(listed.domain));
    return by_index(*domain, listed.indexes, name_of(domain->name) + ":");
  }

  Result<CpuList> operator()(const StridedInDomain& strided) const {
    STREAMGAGE_TRY(const auto* domain, find(strided.domain));
    return by_stride(*domain, strided);
  }

  Result<CpuList> operator()(const SpreadOverDomains& spread) const {
    std::vector<const ThreadDomain*> over;
    if (spread.number) {
      STREAMGAGE_TRY(const auto* domain, find({spread.kind, *spread.number}));
      over.push_back(domain);
    } else {
      over = domains_.of_kind(spread.kind);
      std::erase_if(over, [](const ThreadDomain* domain) { return domain->compact.empty(); });
      if (over.empty()) {
        return none_of_that_kind(spread.kind);
      }
    }
    STREAMGAGE_TRY(check_length(spread.count.value_or(0)));
    auto cpus = spread_over(over, spread, wraps_);
    return cpus ? taken(std::move(*cpus)) : usage_error(fmt::format("{} {}", text_, cpus.error()));
  }

  Result<CpuList> operator()(const NumberedCpus& numbered) const {
    if (domains_.restricted) {
      return by_index(domains_.node(), numbered.cpus, "");
    }
    STREAMGAGE_TRY(check_present(numbered.cpus));
    STREAMGAGE_TRY(check_length(length_of(numbered.cpus)));
    CpuList cpus;
    visit_numbers(numbered.cpus, [&](int cpu) {
      cpus.push_back(cpu);
      return true;
    });
    return cpus;
  }

 private:
  static std::string name_of(DomainName name) {
    const char letter = static_cast<char>(name.kind);
    return name.kind == DomainKind::kNode ? std::string(1, letter)
                                          : fmt::format("{}{}", letter, name.number);
  }

  [[nodiscard]] tl::unexpected<Error> refuse(const std::string& what) const {
    return usage_error(fmt::format("{} {}", text_, what));
  }

  [[nodiscard]] Result<void> check_length(std::int64_t length) const {
    if (length > static_cast<std::int64_t>(most_)) {
      return refuse("names too many CPUs; an expression names at most 65,536");
    }
    return {};
  }

  [[nodiscard]] Result<CpuList> taken(CpuList cpus) const {
    STREAMGAGE_TRY(check_length(static_cast<std::int64_t>(cpus.size())));
    return cpus;
  }

  [[nodiscard]] Result<void> check_present(const std::vector<IndexRange>& cpus) const {
    std::optional<int> absent;
    visit_numbers(cpus, [&](int cpu) {
      if (!std::binary_search(domains_.allowed.begin(), domains_.allowed.end(), cpu)) {
        absent = cpu;
      }
      return !absent;
    });
    if (absent) {
      return refuse(
          fmt::format("asks for CPU {}, which is not online here; this process may use {}", *absent,
                      shown_cpus(domains_.allowed)));
    }
    return {};
  }

  [[nodiscard]] tl::unexpected<Error> none_of_that_kind(DomainKind kind) const {
    return refuse(kind == DomainKind::kCache
                      ? "counts last-level caches, but this machine reports none; use S or M"
                      : "names a domain that this machine does not report");
  }

  [[nodiscard]] Result<const ThreadDomain*> find(DomainName name) const {
    const ThreadDomain* domain = domains_.find(name);
    if (domain == nullptr) {
      return not_there(name);
    }
    if (domain->compact.empty()) {
      return refuse(
          fmt::format("names {}, but this process may not use any CPU there; it may use {}",
                      domain->words, shown_cpus(domains_.allowed)));
    }
    return domain;
  }

  [[nodiscard]] tl::unexpected<Error> not_there(DomainName name) const {
    const auto others = domains_.of_kind(name.kind);
    if (others.empty()) {
      return none_of_that_kind(name.kind);
    }
    const std::string last = name_of(others.back()->name);
    const std::string range = others.size() == 1
                                  ? fmt::format("only {}", last)
                                  : fmt::format("{} to {}", name_of(others.front()->name), last);
    const char* hint = name.kind == DomainKind::kMemory
                           ? "; they count from 0, whatever numbers their nodes have"
                           : "";
    return refuse(fmt::format("names {}, but this machine has {}{}", name_of(name), range, hint));
  }

  // "socket 0 has 8: 0,1,2,3,8,9,10,11", of a list of them.
  [[nodiscard]] std::string has(const ThreadDomain& domain, const CpuList& cpus) const {
    return fmt::format("{} has {}{}: {}", domain.words, cpus.size(),
                       domains_.restricted ? " that this process may use" : "", shown_cpus(cpus));
  }

  [[nodiscard]] Result<CpuList> by_index(const ThreadDomain& domain,
                                         const std::vector<IndexRange>& indexes,
                                         const std::string& prefix) const {
    const std::size_t size = domain.sorted.size();
    if (!wraps_) {
      STREAMGAGE_TRY(check_indexes(domain, indexes, prefix));
    }
    STREAMGAGE_TRY(check_length(length_of(indexes)));
    CpuList cpus;
    visit_numbers(indexes, [&](int index) {
      cpus.push_back(domain.sorted[static_cast<std::size_t>(index) % size]);
      return true;
    });
    return cpus;
  }

  // `prefix` is what stands before the list: nothing before a plain list in a restricted cpuset.
  [[nodiscard]] Result<void> check_indexes(const ThreadDomain& domain,
                                           const std::vector<IndexRange>& indexes,
                                           const std::string& prefix) const {
    const auto size = static_cast<int>(domain.sorted.size());
    int highest = 0;
    for (const IndexRange& range : indexes) {
      highest = std::max({highest, range.first, range.last});
    }
    if (highest < size) {
      return {};
    }
    const bool from_zero = indexes.size() == 1 && indexes.front().first == 0 && highest > 0;
    const std::string what = from_zero ? "asks for " + count_of(highest + 1, "CPU")
                                       : fmt::format("asks for CPU number {}, from 0", highest);
    const char* note =
        prefix.empty() ? " (in a restricted cpuset, a plain list counts only those)" : "";
    return refuse(fmt::format("{}, but {}{}. Use {}{}, or add --allow-oversubscribe", what,
                              has(domain, domain.sorted), note, prefix,
                              range_up_to(domain.sorted.size())));
  }

  [[nodiscard]] Result<CpuList> by_stride(const ThreadDomain& domain,
                                          const StridedInDomain& strided) const {
    const auto size = static_cast<std::int64_t>(domain.compact.size());
    const std::int64_t count = strided.count ? *strided.count : size;
    if (wraps_) {
      STREAMGAGE_TRY(check_length(count));
    }
    CpuList cpus;
    for (std::int64_t start = strided.offset; static_cast<std::int64_t>(cpus.size()) < count;
         start += strided.stride) {
      for (std::int64_t at = start;
           at < start + strided.chunk && static_cast<std::int64_t>(cpus.size()) < count; ++at) {
        if (at >= size && !wraps_) {
          return past_the_end(domain, strided, cpus.size());
        }
        cpus.push_back(domain.compact[static_cast<std::size_t>(at % size)]);
      }
    }
    return taken(std::move(cpus));
  }

  // `before` CPUs come before the end of the domain.
  [[nodiscard]] tl::unexpected<Error> past_the_end(const ThreadDomain& domain,
                                                   const StridedInDomain& strided,
                                                   std::size_t before) const {
    const std::string having = has(domain, domain.compact);
    if (before == 0) {
      return refuse(
          fmt::format("begins at CPU number {}, from 0, but {}. Use a smaller offset, or "
                      "add --allow-oversubscribe",
                      strided.offset, having));
    }
    const bool plain = strided.chunk == 1 && strided.stride == 1 && strided.offset == 0;
    std::string use = fmt::format("E:{}:{}", name_of(domain.name), before);
    if (!plain) {
      use += fmt::format(":{}:{}", strided.chunk, strided.stride);
      use += strided.offset == 0 ? "" : fmt::format(":{}", strided.offset);
    }
    return refuse(fmt::format("asks for {}, but {}{}. Use {}, or add --allow-oversubscribe",
                              count_of(strided.count.value_or(0), "CPU"), having,
                              plain ? "" : fmt::format(", and ends after {} of them", before),
                              use));
  }

  std::string text_;
  const ThreadDomains& domains_;
  bool wraps_;
  std::size_t most_;
};

}  // namespace

Result<CpuList> select_cpus(const ExpressionPart& part, const ThreadDomains& domains,
                            Oversubscribe oversubscribe, std::size_t most) {
  return std::visit(Selector(part, domains, oversubscribe, most), part.what);
}

}  // namespace streamgage
