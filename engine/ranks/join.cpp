#include "ranks/join.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "contract/setting.hpp"
#include "measure/setup.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

void append(CpuList& cpus, const CpuList& more) {
  cpus.insert(cpus.end(), more.begin(), more.end());
}

template <class T>
const T& of_rank(const std::vector<T>& answers, int rank) {
  return answers[static_cast<std::size_t>(rank)];
}

// Seconds from the first start to the last end, on one host's clock.
double span_of(const std::vector<int>& ranks, const std::vector<Timing>& timings) {
  Instant first = Instant::max();
  Instant last = Instant::min();
  for (const int rank : ranks) {
    first = std::min(first, of_rank(timings, rank).first);
    last = std::max(last, of_rank(timings, rank).last);
  }
  return seconds_between(first, last);
}

// Array number `number` as all ranks found it.
ArrayPages join_array(const std::vector<PageSurvey>& surveys, const Shares& shares,
                      std::size_t number) {
  ArrayPages all;
  all.name = surveys.front().arrays.at(number).name;
  double huge = 0.0;
  bool huge_is_known = true;
  for (std::size_t rank = 0; rank < surveys.size(); ++rank) {
    const ArrayPages& part = surveys[rank].arrays.at(number);
    all.alignment = rank == 0 ? part.alignment : std::min(all.alignment, part.alignment);
    huge_is_known = huge_is_known && part.huge_share;
    huge += part.huge_share.value_or(0.0) * static_cast<double>(shares[rank]);
    all.checked += part.checked;
    all.remote += part.remote;
  }
  if (huge_is_known) {
    all.huge_share = huge / static_cast<double>(std::accumulate(shares.begin(), shares.end(), 0LL));
  }
  return all;
}

std::optional<double> sum_of(const std::optional<double>& sum, const std::optional<double>& more) {
  return sum && more ? std::optional(*sum + *more) : std::nullopt;
}

}  // namespace

Sample join_timings(const std::vector<Member>& members, const std::vector<Timing>& timings) {
  Sample joined;
  Timing& all = joined.timing;
  for (const std::vector<int>& ranks : ranks_by_host(members)) {
    all.seconds = std::max(all.seconds, span_of(ranks, timings));
  }
  for (const Timing& timing : timings) {
    joined.rank_seconds.push_back(timing.seconds);
    append(all.cpus_start, timing.cpus_start);
    append(all.cpus_end, timing.cpus_end);
    all.moved += timing.moved;
    all.switches += timing.switches;
    all.paused_seconds = std::max(all.paused_seconds, timing.paused_seconds);
  }
  return joined;
}

std::vector<ThreadWalk> join_walks(const std::vector<Member>& members,
                                   std::vector<RunOutcome> outcomes) {
  std::vector<ThreadWalk> all;
  std::optional<Instant> origin;
  for (const std::vector<int>& ranks : ranks_by_host(members)) {
    Instant first = Instant::max();
    for (const int rank : ranks) {
      for (const ThreadWalk& walk : of_rank(outcomes, rank).walks) {
        first = walk.marks.empty() ? first : std::min(first, walk.marks.front().at);
      }
    }
    if (first == Instant::max()) {
      return {};  // a rank whose threads cannot be watched
    }
    origin = origin.value_or(first);
    for (const int rank : ranks) {
      for (ThreadWalk& walk : outcomes[static_cast<std::size_t>(rank)].walks) {
        for (WalkMark& mark : walk.marks) {
          mark.at = *origin + (mark.at - first);
        }
        all.push_back(std::move(walk));
      }
    }
  }
  return all;
}

bool has_cpu_a_thread(const std::vector<Member>& members,
                      const std::vector<PlacedThreads>& placed) {
  const auto hosts = ranks_by_host(members);
  const auto cpus = cpus_of_hosts(members, placed);
  return std::all_of(hosts.begin(), hosts.end(), [&](const std::vector<int>& ranks) {
    std::size_t threads = 0;
    for (const int rank : ranks) {
      threads += of_rank(placed, rank).threads.size();
    }
    return threads <= of_rank(cpus, ranks.front()).size();
  });
}

Check join_checks(const Shares& shares, const std::vector<Check>& checks) {
  Check all;
  std::int64_t begin = 0;
  for (std::size_t rank = 0; rank < checks.size(); ++rank) {
    const Check& check = checks[rank];
    const bool is_first = check.wrong != 0 && all.wrong == 0;
    all.checked += check.checked;
    all.wrong += check.wrong;
    if (is_first) {
      if (check.first_wrong) {
        all.first_wrong = begin + *check.first_wrong;
      }
      all.expected = check.expected;
      all.found = check.found;
    }
    begin += shares[rank];
  }
  return all;
}

std::vector<CpuList> cpus_of_hosts(const std::vector<Member>& members,
                                   const std::vector<PlacedThreads>& placed) {
  std::vector<CpuList> cpus(members.size());
  for (const std::vector<int>& ranks : ranks_by_host(members)) {
    std::set<int> each;
    for (const int rank : ranks) {
      const CpuList& used = of_rank(placed, rank).cpus;
      each.insert(used.begin(), used.end());
    }
    for (const int rank : ranks) {
      cpus[static_cast<std::size_t>(rank)].assign(each.begin(), each.end());
    }
  }
  return cpus;
}

record::PlacementRecord join_placements(const std::vector<Member>& members, PlacementKind kind,
                                        const std::vector<PlacedThreads>& placed) {
  record::PlacementRecord all{.kind = kind,
                              .asked_threads = 0,
                              .bound = true,
                              .threads = {},
                              .ranks = std::vector<record::RankPlace>{}};
  int asked = 0;
  for (std::size_t rank = 0; rank < placed.size(); ++rank) {
    const Member& member = members[rank];
    for (const ThreadPlace& place : placed[rank].threads) {
      record::ThreadPlace& thread = all.threads.emplace_back(record_of(place));
      thread.rank = rank;
      thread.host = member.host;
    }
    asked += placed[rank].asked_threads;
    all.bound = all.bound && placed[rank].bound;
    all.ranks->push_back({.rank = rank, .host = member.host, .pid = member.pid});
  }
  all.asked_threads = asked;
  return all;
}

JoinedMemory join_memories(const std::vector<Member>& members,
                           const std::vector<HostMemory>& memories) {
  constexpr auto kUnlimited = std::numeric_limits<std::uint64_t>::max();
  JoinedMemory all;
  all.budget.available_bytes = kUnlimited;
  for (const std::vector<int>& ranks : ranks_by_host(members)) {
    const HostMemory& host = of_rank(memories, ranks.front());
    all.cache_bytes += host.cache_bytes;
    // The host holds ranks/size of every array; as if the whole were as large as that allows.
    const auto whole = [&](std::uint64_t bytes) { return bytes / ranks.size() * members.size(); };
    all.budget.available_bytes = std::min(all.budget.available_bytes, whole(host.available_bytes));
    if (host.limit_free_bytes) {
      all.budget.limit_free_bytes =
          std::min(all.budget.limit_free_bytes.value_or(kUnlimited), whole(*host.limit_free_bytes));
    }
  }
  return all;
}

PageSurvey join_pages(const std::vector<PageSurvey>& surveys, const Shares& shares) {
  PageSurvey all;
  for (std::size_t number = 0; number < surveys.front().arrays.size(); ++number) {
    all.arrays.push_back(join_array(surveys, shares, number));
  }
  for (const PageSurvey& survey : surveys) {
    all.touch_seconds = std::max(all.touch_seconds, survey.touch_seconds);
    all.reason = all.reason ? all.reason : survey.reason;
  }
  return all;
}

double own_seconds_of_others(const std::vector<Member>& members,
                             const std::vector<LoadSeen>& loads) {
  double seconds = 0.0;
  for (const std::vector<int>& ranks : ranks_by_host(members)) {
    for (const int rank : ranks) {
      seconds += rank == ranks.front() ? 0.0 : of_rank(loads, rank).own_seconds;
    }
  }
  return seconds;
}

std::optional<Disturbance> join_loads(const std::vector<Member>& members,
                                      const std::vector<LoadSeen>& loads, double own_seconds) {
  Disturbance all;
  all.steal_seconds = 0.0;
  all.other_seconds = -own_seconds;
  all.throttled_seconds = 0.0;
  for (const std::vector<int>& ranks : ranks_by_host(members)) {
    const std::optional<Disturbance>& seen = of_rank(loads, ranks.front()).seen;
    if (!seen) {
      return std::nullopt;
    }
    all.first_block = seen->first_block;
    all.last_block = seen->last_block;
    all.seconds = std::max(all.seconds, seen->seconds);
    all.steal_seconds = sum_of(all.steal_seconds, seen->steal_seconds);
    all.other_seconds = sum_of(all.other_seconds, seen->other_seconds);
    all.throttled_seconds = sum_of(all.throttled_seconds, seen->throttled_seconds);
  }
  return all;
}

}  // namespace streamgage::engine
