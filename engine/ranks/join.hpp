// Joins the answers of all ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/json_lines.hpp"
#include "measure/outside_load.hpp"
#include "measure/workers.hpp"
#include "measure/workload.hpp"
#include "ranks/messages.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/memory/array_size.hpp"
#include "streamgage/team/team.hpp"
#include "world/world.hpp"

namespace streamgage::engine {

// Joins one run of all ranks. It takes the time of the slowest host, from the first start of any
// thread of its ranks to the last end: this way, ranks that take turns on a CPU are not counted as
// if they had run at once.
Sample join_timings(const std::vector<Member>& members, const std::vector<Timing>& timings);

// Indexes count through the parts of all ranks.
Check join_checks(const Shares& shares, const std::vector<Check>& checks);

// The union of what the ranks of each host use, one list a rank.
std::vector<CpuList> cpus_of_hosts(const std::vector<Member>& members,
                                   const std::vector<Placed>& placed);

// The record of the threads of all ranks in their order, and who the ranks are.
Json join_placements(const std::vector<Member>& members, PlacementKind kind,
                     const std::vector<Placed>& placed);

// Caches of all hosts together, and as much memory as makes every host's share fit it.
struct JoinedMemory {
  std::uint64_t cache_bytes = 0;
  MemoryBudget budget;
};

JoinedMemory join_memories(const std::vector<Member>& members,
                           const std::vector<HostMemory>& memories);

// The pages of all parts: those of a rank weigh by its share.
PageSurvey join_pages(const std::vector<PageSurvey>& surveys, const Shares& shares);

// CPU time of the ranks themselves, summed over those that are not the first of their host: what
// the first took for another program's.
double own_seconds_of_others(const std::vector<Member>& members,
                             const std::vector<LoadSeen>& loads);

// What the first rank of each host saw; nothing where no time has passed.
std::optional<Disturbance> join_loads(const std::vector<Member>& members,
                                      const std::vector<LoadSeen>& loads, double own_seconds);

}  // namespace streamgage::engine
