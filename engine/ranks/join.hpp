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

// Joins the walks of all threads of all ranks on one clock. The clocks of several hosts are taken
// to agree on the first start of a thread, because all ranks leave one barrier.
std::vector<ThreadWalk> join_walks(const std::vector<Member>& members,
                                   std::vector<RunOutcome> outcomes);

// Returns whether on every host each thread can have a CPU of its own at the same time.
bool has_cpu_a_thread(const std::vector<Member>& members, const std::vector<PlacedThreads>& placed);

// Joins the checks of all ranks. Indexes count through the parts of all ranks.
Check join_checks(const Shares& shares, const std::vector<Check>& checks);

// Returns for each rank the union of the CPUs that the ranks of its host use.
std::vector<CpuList> cpus_of_hosts(const std::vector<Member>& members,
                                   const std::vector<PlacedThreads>& placed);

// Returns the record of the ranks, and of the threads of all ranks in their order.
record::PlacementRecord join_placements(const std::vector<Member>& members, PlacementKind kind,
                                        const std::vector<PlacedThreads>& placed);

// The caches of all hosts together, and the most memory of which every host can hold its share.
struct JoinedMemory {
  std::uint64_t cache_bytes = 0;
  MemoryBudget budget;
};

JoinedMemory join_memories(const std::vector<Member>& members,
                           const std::vector<HostMemory>& memories);

// Joins the surveys of pages. Each rank counts by its share of the arrays.
PageSurvey join_pages(const std::vector<PageSurvey>& surveys, const Shares& shares);

// Returns the CPU time of the ranks that are not the first of their hosts. The first rank counted
// it as that of other programs.
double own_seconds_of_others(const std::vector<Member>& members,
                             const std::vector<LoadSeen>& loads);

// Joins what the first rank of each host saw. Nothing if no time has passed.
std::optional<Disturbance> join_loads(const std::vector<Member>& members,
                                      const std::vector<LoadSeen>& loads, double own_seconds);

}  // namespace streamgage::engine
