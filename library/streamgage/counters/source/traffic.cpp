#include "streamgage/counters/source/traffic.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"

namespace streamgage {
namespace {

constexpr double kNanosecond = 1e-9;

struct Amount {
  double bytes = 0.0;
  double running_share = 1.0;
  double seconds = 0.0;
};

std::optional<std::uint64_t> count_between(std::uint64_t before, std::uint64_t after, int bits) {
  if (after >= before) {
    return after - before;
  }
  if (bits >= 64 || before >> static_cast<unsigned>(bits) != 0) {
    return std::nullopt;
  }
  return after + (std::uint64_t{1} << static_cast<unsigned>(bits)) - before;
}

Result<Tally> spent(const Counter& counter, const Result<Tally>& at_begin,
                    const Result<Tally>& at_end) {
  STREAMGAGE_TRY(const Tally before, at_begin);
  STREAMGAGE_TRY(const Tally after, at_end);
  if (after.enabled < before.enabled || after.running < before.running) {
    return failure(fmt::format("{}: no time passed for it", counter.name));
  }
  const auto count = count_between(before.count, after.count, counter.bits);
  if (!count) {
    return failure(
        fmt::format("{}: its count fell from {} to {}", counter.name, before.count, after.count));
  }
  return Tally{*count, after.enabled - before.enabled, after.running - before.running};
}

Result<Amount> amount_of(const Counter& counter, const Result<Tally>& spent) {
  STREAMGAGE_TRY(const Tally tally, spent);
  if (tally.enabled == 0) {
    return failure(fmt::format("{}: no time passed for it", counter.name));
  }
  if (tally.running == 0) {
    return failure(fmt::format(
        "{}: it did not run in that time, because other events used the hardware's counters",
        counter.name));
  }
  const auto enabled = static_cast<double>(spent->enabled);
  const auto running = static_cast<double>(spent->running);
  return Amount{static_cast<double>(spent->count) * counter.bytes_per_count * (enabled / running),
                running / enabled, enabled * kNanosecond};
}

void add(Volume& volume, Direction direction, double bytes) {
  if (direction == Direction::kLocal) {
    volume.local = volume.local.value_or(0.0) + bytes;
    return;
  }
  volume.total += bytes;
  if (direction == Direction::kRead) {
    volume.read = volume.read.value_or(0.0) + bytes;
  } else if (direction == Direction::kWrite) {
    volume.written = volume.written.value_or(0.0) + bytes;
  }
}

bool has_counts_of_both(std::span<const Counter> counters, const MemoryDomain& domain) {
  return std::any_of(counters.begin(), counters.end(), [&](const Counter& counter) {
    return counter.domain == domain && counter.direction == Direction::kBoth;
  });
}

// Next to a count of both, reads or writes of other counters would be a part.
void forget_parts(Volume& volume) {
  volume.read = std::nullopt;
  volume.written = std::nullopt;
}

}  // namespace

Reading spent_between(std::span<const Counter> counters, const Reading& before,
                      const Reading& after) {
  Reading reading;
  reading.reserve(counters.size());
  for (std::size_t i = 0; i < counters.size(); ++i) {
    reading.push_back(i < before.size() && i < after.size()
                          ? spent(counters[i], before[i], after[i])
                          : failure(fmt::format("{}: it was not read", counters[i].name)));
  }
  return reading;
}

Reading together(const Reading& one, const Reading& other) {
  Reading sum = one;
  for (std::size_t i = 0; i < sum.size() && i < other.size(); ++i) {
    if (!sum[i]) {
      continue;
    }
    if (!other[i]) {
      sum[i] = other[i];
      continue;
    }
    sum[i]->count += other[i]->count;
    sum[i]->enabled += other[i]->enabled;
    sum[i]->running += other[i]->running;
  }
  return sum;
}

Traffic traffic_between(std::span<const Counter> counters, const Reading& before,
                        const Reading& after) {
  return traffic_of(counters, spent_between(counters, before, after));
}

Traffic traffic_of(std::span<const Counter> counters, const Reading& spent) {
  std::map<MemoryDomain, DomainTraffic> domains;
  std::set<MemoryDomain> without_local;
  Traffic traffic;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const Counter& counter = counters[i];
    DomainTraffic& domain =
        domains.try_emplace(counter.domain, DomainTraffic{counter.domain, Volume{}, 1.0})
            .first->second;
    const auto amount = amount_of(counter, spent[i]);
    if (!amount) {
      if (counter.direction == Direction::kLocal) {
        without_local.insert(counter.domain);
      } else if (domain.volume) {
        domain.volume = tl::unexpected(amount.error());
      }
      continue;
    }
    traffic.seconds = std::max(traffic.seconds, amount->seconds);
    domain.running_share = std::min(domain.running_share, amount->running_share);
    if (domain.volume) {
      add(*domain.volume, counter.direction, amount->bytes);
    }
  }
  for (auto& entry : domains) {
    DomainTraffic& domain = entry.second;
    if (domain.volume && has_counts_of_both(counters, domain.domain)) {
      forget_parts(*domain.volume);
    }
    if (domain.volume && without_local.contains(domain.domain)) {
      domain.volume->local = std::nullopt;
    }
    traffic.running_share = std::min(traffic.running_share, domain.running_share);
    traffic.domains.push_back(std::move(domain));
  }
  return traffic;
}

Result<Volume> whole_volume(const Traffic& traffic) {
  Volume whole;
  bool apart = !traffic.domains.empty();
  bool with_local = apart;
  for (const DomainTraffic& domain : traffic.domains) {
    if (!domain.volume) {
      return failure(fmt::format("the traffic of {} is lost: {}", name_of(domain.domain),
                                 domain.volume.error().message));
    }
    apart = apart && domain.volume->read && domain.volume->written;
    whole.read = whole.read.value_or(0.0) + domain.volume->read.value_or(0.0);
    whole.written = whole.written.value_or(0.0) + domain.volume->written.value_or(0.0);
    with_local = with_local && domain.volume->local;
    whole.local = whole.local.value_or(0.0) + domain.volume->local.value_or(0.0);
    whole.total += domain.volume->total;
  }
  if (traffic.domains.empty()) {
    return failure("there is no counter");
  }
  if (!apart) {
    forget_parts(whole);
  }
  if (!with_local) {
    whole.local = std::nullopt;
  }
  return whole;
}

}  // namespace streamgage
