// What the ranks' answers come to together.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/json_lines.hpp"
#include "measure/outside_load.hpp"
#include "measure/workload.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/memory/array_size.hpp"
#include "streamgage/team/team.hpp"
#include "world/world.hpp"

namespace streamgage::engine {

// Elements of a rank's part of every array.
using Shares = std::vector<std::int64_t>;

// One run of all ranks. `timing` has the time of the slowest host, from the first start of any
// thread of its ranks to the last end: ranks that take turns on a CPU are not counted as if they
// had run at once.
struct JoinedTiming {
  Timing timing;
  std::vector<double> rank_seconds;  // each rank's own
};

JoinedTiming join_timings(const std::vector<Member>& members, const std::vector<Json>& answers);

// Indexes count through the parts of all ranks.
Check join_checks(const Shares& shares, const std::vector<Json>& answers);

// The union of what the ranks of each host use, one list a rank.
std::vector<CpuList> cpus_of_hosts(const std::vector<Member>& members,
                                   const std::vector<Json>& placed);

// The threads of all ranks in their order, and who the ranks are.
Json join_placements(const std::vector<Member>& members, const std::vector<Json>& placed);

// Caches of all hosts together, and as much memory as makes every host's share fit it.
struct Surveyed {
  std::uint64_t cache_bytes = 0;
  MemoryBudget budget;
};

Surveyed join_surveys(const std::vector<Member>& members, const std::vector<Json>& surveys);

// The pages of all parts; what is said of the size is `size`'s.
Json join_memories(const std::vector<Json>& memories, const Shares& shares, const ArraySize& size,
                   const SizeRequest& request, int epoch);

// CPU time of the ranks themselves, summed over those that are not the first of their host: what
// the first took for another program's.
double own_seconds_of_others(const std::vector<Member>& members, const std::vector<Json>& loads);

// What the first rank of each host saw; nothing where no time has passed.
std::optional<Disturbance> join_loads(const std::vector<Member>& members,
                                      const std::vector<Json>& loads, double own_seconds);

}  // namespace streamgage::engine
