#include "ranks/joined.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string>

namespace streamgage::engine {
namespace {

void append(CpuList& cpus, const Json& more) {
  const auto list = more.get<CpuList>();
  cpus.insert(cpus.end(), list.begin(), list.end());
}

const Json& of_rank(const std::vector<Json>& answers, int rank) {
  return answers[static_cast<std::size_t>(rank)];
}

// Seconds from the first start to the last end, on one host's clock.
double span_of(const std::vector<int>& ranks, const std::vector<Json>& answers) {
  auto first = std::numeric_limits<std::int64_t>::max();
  auto last = std::numeric_limits<std::int64_t>::min();
  for (const int rank : ranks) {
    first = std::min(first, of_rank(answers, rank).at("first").get<std::int64_t>());
    last = std::max(last, of_rank(answers, rank).at("last").get<std::int64_t>());
  }
  return static_cast<double>(last - first) / 1e9;
}

// Array number `number` as all ranks found it: their shares weigh by their size.
Json join_pages(const std::vector<Json>& memories, const Shares& shares, std::size_t number) {
  double huge = 0.0;
  bool huge_is_known = true;
  std::uint64_t checked = 0;
  std::uint64_t remote = 0;
  for (std::size_t rank = 0; rank < memories.size(); ++rank) {
    const Json& array = memories[rank].at("arrays").at(number);
    const Json& share = array.at("huge_share");
    huge_is_known = huge_is_known && !share.is_null();
    huge += huge_is_known ? share.get<double>() * static_cast<double>(shares[rank]) : 0.0;
    checked += array.at("checked_pages").get<std::uint64_t>();
    remote += array.at("remote_pages").get<std::uint64_t>();
  }
  const auto all = static_cast<double>(std::accumulate(shares.begin(), shares.end(), 0LL));
  return {{"name", memories.front().at("arrays").at(number).at("name")},
          {"huge_share", huge_is_known ? Json(huge / all) : Json(nullptr)},
          {"checked_pages", checked},
          {"remote_pages", remote}};
}

std::optional<double> sum_of(const std::optional<double>& sum, const Json& more) {
  return sum && !more.is_null() ? std::optional(*sum + more.get<double>()) : std::nullopt;
}

}  // namespace

JoinedTiming join_timings(const std::vector<Member>& members, const std::vector<Json>& answers) {
  JoinedTiming joined;
  Timing& timing = joined.timing;
  for (const std::vector<int>& ranks : ranks_by_host(members)) {
    timing.seconds = std::max(timing.seconds, span_of(ranks, answers));
  }
  for (const Json& answer : answers) {
    joined.rank_seconds.push_back(answer.at("seconds").get<double>());
    append(timing.cpus_start, answer.at("cpus_start"));
    append(timing.cpus_end, answer.at("cpus_end"));
    timing.moved += answer.at("moved").get<int>();
    timing.switches += answer.at("switches").get<std::int64_t>();
  }
  return joined;
}

Check join_checks(const Shares& shares, const std::vector<Json>& answers) {
  Check all;
  std::int64_t begin = 0;
  for (std::size_t rank = 0; rank < answers.size(); ++rank) {
    const Json& check = answers[rank];
    all.checked += check.at("checked").get<std::int64_t>();
    all.wrong += check.at("wrong").get<std::int64_t>();
    const bool is_first = check.at("wrong") != 0 && all.wrong == check.at("wrong");
    if (is_first) {
      const Json& index = check.at("first_wrong");
      if (!index.is_null()) {
        all.first_wrong = begin + index.get<std::int64_t>();
      }
      all.expected = check.at("expected").get<double>();
      all.found = check.at("found").get<double>();
    }
    begin += shares[rank];
  }
  return all;
}

std::vector<CpuList> cpus_of_hosts(const std::vector<Member>& members,
                                   const std::vector<Json>& placed) {
  std::vector<CpuList> cpus(members.size());
  for (const std::vector<int>& ranks : ranks_by_host(members)) {
    CpuList all;
    for (const int rank : ranks) {
      append(all, of_rank(placed, rank).at("cpus"));
    }
    const std::set<int> each(all.begin(), all.end());
    for (const int rank : ranks) {
      cpus[static_cast<std::size_t>(rank)].assign(each.begin(), each.end());
    }
  }
  return cpus;
}

Json join_placements(const std::vector<Member>& members, const std::vector<Json>& placed) {
  Json threads = Json::array();
  Json ranks = Json::array();
  int asked = 0;
  bool bound = true;
  for (std::size_t rank = 0; rank < placed.size(); ++rank) {
    const Member& member = members[rank];
    for (Json thread : placed[rank].at("threads")) {
      thread["rank"] = rank;
      thread["host"] = member.host;
      threads.push_back(std::move(thread));
    }
    asked += placed[rank].at("asked_threads").get<int>();
    bound = bound && placed[rank].at("bound").get<bool>();
    ranks.push_back({{"rank", rank}, {"host", member.host}, {"pid", member.pid}});
  }
  return {{"record", "placement"},         {"kind", placed.front().at("kind")},
          {"asked_threads", asked},        {"bound", bound},
          {"threads", std::move(threads)}, {"ranks", std::move(ranks)}};
}

Surveyed join_surveys(const std::vector<Member>& members, const std::vector<Json>& surveys) {
  Surveyed all;
  all.budget.available_bytes = std::numeric_limits<std::uint64_t>::max();
  for (const std::vector<int>& ranks : ranks_by_host(members)) {
    const Json& survey = of_rank(surveys, ranks.front());
    all.cache_bytes += survey.at("cache_bytes").get<std::uint64_t>();
    // The host holds ranks/size of every array; as if the whole were as large as that allows.
    const auto whole = [&](const char* key) {
      return survey.at(key).get<std::uint64_t>() / ranks.size() * members.size();
    };
    all.budget.available_bytes = std::min(all.budget.available_bytes, whole("available_bytes"));
    if (!survey.at("limit_free_bytes").is_null()) {
      all.budget.limit_free_bytes =
          std::min(all.budget.limit_free_bytes.value_or(std::numeric_limits<std::uint64_t>::max()),
                   whole("limit_free_bytes"));
    }
  }
  return all;
}

Json join_memories(const std::vector<Json>& memories, const Shares& shares, const ArraySize& size,
                   const SizeRequest& request, int epoch) {
  Json arrays = Json::array();
  for (std::size_t number = 0; number < memories.front().at("arrays").size(); ++number) {
    arrays.push_back(join_pages(memories, shares, number));
  }
  double touch_seconds = 0.0;
  Json reason = nullptr;
  for (const Json& memory : memories) {
    touch_seconds = std::max(touch_seconds, memory.at("touch_seconds").get<double>());
    reason = reason.is_null() ? memory.at("pages_reason") : reason;
  }
  return {{"record", "memory"},
          {"epoch", epoch},
          {"array_bytes", size.bytes},
          {"elements", size.elements},
          {"element_bytes", request.element_bytes},
          {"nodes", nullptr},
          {"arrays", std::move(arrays)},
          {"rule_bytes", size.rule_bytes},
          {"last_level_cache_bytes", request.last_level_cache_bytes},
          {"asked_bytes", or_null(request.asked_bytes)},
          {"capped_by", size.cap_bytes ? Json(size.capped_by) : Json(nullptr)},
          {"cap_bytes", or_null(size.cap_bytes)},
          {"touch_seconds", touch_seconds},
          {"pages_reason", std::move(reason)}};
}

double own_seconds_of_others(const std::vector<Member>& members, const std::vector<Json>& loads) {
  double seconds = 0.0;
  for (const std::vector<int>& ranks : ranks_by_host(members)) {
    for (const int rank : ranks) {
      seconds += rank == ranks.front() ? 0.0 : of_rank(loads, rank).at("own_seconds").get<double>();
    }
  }
  return seconds;
}

std::optional<Disturbance> join_loads(const std::vector<Member>& members,
                                      const std::vector<Json>& loads, double own_seconds) {
  Disturbance all;
  all.steal_seconds = 0.0;
  all.other_seconds = -own_seconds;
  all.throttled_seconds = 0.0;
  for (const std::vector<int>& ranks : ranks_by_host(members)) {
    const Json& seen = of_rank(loads, ranks.front()).at("seen");
    if (seen.is_null()) {
      return std::nullopt;
    }
    all.first_block = seen.at("first_block").get<int>();
    all.last_block = seen.at("last_block").get<int>();
    all.seconds = std::max(all.seconds, seen.at("seconds").get<double>());
    all.steal_seconds = sum_of(all.steal_seconds, seen.at("steal_seconds"));
    all.other_seconds = sum_of(all.other_seconds, seen.at("other_seconds"));
    all.throttled_seconds = sum_of(all.throttled_seconds, seen.at("throttled_seconds"));
  }
  return all;
}

}  // namespace streamgage::engine
