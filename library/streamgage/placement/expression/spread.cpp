#include "streamgage/placement/expression/spread.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "streamgage/base/units.hpp"
#include "streamgage/placement/expression/wording.hpp"

namespace streamgage {
namespace {

using Domains = std::vector<const ThreadDomain*>;

// One CPU of each domain in turn, in sorted order, until all are out.
CpuList scattered(const Domains& domains) {
  CpuList cpus;
  std::size_t left = domains.size();
  for (std::size_t round = 0; left > 0; ++round) {
    left = 0;
    for (const ThreadDomain* domain : domains) {
      if (round < domain->sorted.size()) {
        cpus.push_back(domain->sorted[round]);
        left += round + 1 < domain->sorted.size() ? 1 : 0;
      }
    }
  }
  return cpus;
}

// How many each domain gives: all the same, and the first ones one more. Without a number: all.
std::vector<std::size_t> shares(const Domains& domains, std::optional<std::size_t> count) {
  std::vector<std::size_t> result;
  for (const ThreadDomain* domain : domains) {
    if (count) {
      result.push_back(*count / domains.size() + (result.size() < *count % domains.size() ? 1 : 0));
    } else {
      result.push_back(domain->compact.size());
    }
  }
  return result;
}

// The first domain that has fewer CPUs than its share; as many as there are domains: none.
std::size_t first_short(const Domains& domains, const std::vector<std::size_t>& shares) {
  std::size_t i = 0;
  while (i < domains.size() && shares[i] <= domains[i]->compact.size()) {
    ++i;
  }
  return i;
}

// So many of the compact order, over and over.
void add_compact(const ThreadDomain& domain, std::size_t count, CpuList& cpus) {
  for (std::size_t i = 0; i < count; ++i) {
    cpus.push_back(domain.compact[i % domain.compact.size()]);
  }
}

// So many of the sorted order, so that cores come first, put into compact order.
void add_cores_first(const ThreadDomain& domain, std::size_t count, CpuList& cpus) {
  const std::size_t size = domain.compact.size();
  for (; count > size; count -= size) {
    add_compact(domain, size, cpus);
  }
  const CpuList& sorted = domain.sorted;
  CpuList chosen(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count));
  std::sort(chosen.begin(), chosen.end());
  std::copy_if(domain.compact.begin(), domain.compact.end(), std::back_inserter(cpus),
               [&](int cpu) { return std::binary_search(chosen.begin(), chosen.end(), cpu); });
}

std::string method_with(const SpreadOverDomains& spread, std::size_t count) {
  const std::map<SpreadMethod, const char*> names{{SpreadMethod::kScatter, "scatter"},
                                                  {SpreadMethod::kBalanced, "balanced"},
                                                  {SpreadMethod::kCoresBalanced, "cbalanced"}};
  return fmt::format("{}{}:{}:{}", static_cast<char>(spread.kind),
                     spread.number ? fmt::format("{}", *spread.number) : "",
                     names.at(spread.method), count);
}

tl::unexpected<std::string> too_many(const Domains& domains, const SpreadOverDomains& spread,
                                     std::size_t wanted, const CpuList& all) {
  const std::string who = domains.size() == 1
                              ? fmt::format("{} has", domains.front()->words)
                              : fmt::format("these {} domains together have", domains.size());
  return tl::unexpected(fmt::format(
      "asks for {}, but {} {}: {}. Use {}, or add --allow-oversubscribe", count_of(wanted, "CPU"),
      who, all.size(), shown_cpus(all), method_with(spread, all.size())));
}

tl::expected<CpuList, std::string> scatter(const Domains& domains, const SpreadOverDomains& spread,
                                           bool wraps) {
  const CpuList all = scattered(domains);
  const auto wanted = spread.count ? static_cast<std::size_t>(*spread.count) : all.size();
  if (wanted > all.size() && !wraps) {
    return too_many(domains, spread, wanted, all);
  }
  CpuList cpus;
  for (std::size_t i = 0; i < wanted; ++i) {
    cpus.push_back(all[i % all.size()]);
  }
  return cpus;
}

// The largest number that the domains can share out as asked.
std::size_t most_to_share(const Domains& domains, std::size_t wanted) {
  while (wanted > 1 && first_short(domains, shares(domains, wanted)) < domains.size()) {
    --wanted;
  }
  return wanted;
}

tl::expected<CpuList, std::string> balance(const Domains& domains, const SpreadOverDomains& spread,
                                           bool wraps) {
  const auto wanted = spread.count ? std::optional<std::size_t>(*spread.count) : std::nullopt;
  const std::vector<std::size_t> parts = shares(domains, wanted);
  const std::size_t lacking = first_short(domains, parts);
  if (lacking < domains.size() && !wraps) {
    const CpuList all = scattered(domains);
    if (wanted && (*wanted > all.size() || domains.size() == 1)) {
      return too_many(domains, spread, *wanted, all);
    }
    const ThreadDomain& domain = *domains[lacking];
    return tl::unexpected(fmt::format(
        "takes {} from {}, which has {}: {}. Use {}, or add --allow-oversubscribe",
        count_of(parts[lacking], "CPU"), domain.words, domain.compact.size(),
        shown_cpus(domain.compact), method_with(spread, most_to_share(domains, *wanted))));
  }
  CpuList cpus;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    if (spread.method == SpreadMethod::kBalanced) {
      add_compact(*domains[i], parts[i], cpus);
    } else {
      add_cores_first(*domains[i], parts[i], cpus);
    }
  }
  return cpus;
}

}  // namespace

tl::expected<CpuList, std::string> spread_over(const std::vector<const ThreadDomain*>& domains,
                                               const SpreadOverDomains& spread, bool wraps) {
  return spread.method == SpreadMethod::kScatter ? scatter(domains, spread, wraps)
                                                 : balance(domains, spread, wraps);
}

}  // namespace streamgage
