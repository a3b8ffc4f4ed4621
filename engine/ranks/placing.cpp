#include "ranks/placing.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/memory/memory_budget.hpp"
#include "streamgage/placement/expression/expand.hpp"

namespace streamgage::engine {
namespace {

// The CPUs of all threads that share them, as many as there are threads.
Result<CpuList> cpus_for_all(const Machine& machine, const PlacementRequest& asked, int threads,
                             bool oversubscribe) {
  STREAMGAGE_TRY(const auto named, named_cpus(machine, asked, oversubscribe));
  const CpuList& had = asked.kind == PlacementKind::kCpus ? named : machine.allowed_cpus;
  const auto most = static_cast<int>(had.size());
  if (threads > most && !oversubscribe) {
    return usage_error(fmt::format(
        "{} threads of the ranks on host {} would share {}: {}; start fewer ranks or threads, or "
        "allow it with --allow-oversubscribe",
        threads, machine.host.value_or("this host"), count_of(most, "CPU"), format_cpu_list(had)));
  }
  PlacementRequest request{asked.kind, named, std::min(threads, most)};
  request.oversubscribe = oversubscribe;
  STREAMGAGE_TRY(auto placement, choose_placement(machine, request, 1));
  CpuList cpus;
  for (int thread = 0; thread < threads; ++thread) {
    cpus.push_back(placement.cpus[static_cast<std::size_t>(thread % *request.threads)]);
  }
  return cpus;
}

}  // namespace

Result<Plan> reduced_to_ranks(Plan plan) {
  if (plan.device) {
    return usage_error(
        "ranks run on processors; leave the device out, or measure it by one process");
  }
  if (!plan.own_kernels.empty()) {
    return usage_error(
        "ranks run only built-in kernels; leave your own kernels out, or measure them in one "
        "process");
  }
  if (plan.memory_nodes) {
    return usage_error(
        fmt::format("ranks use memory where their threads touch it and cannot take it from {} by "
                    "name; name no nodes, or measure one process",
                    name_nodes(*plan.memory_nodes)));
  }
  plan.tuning.reset();
  plan.checks = false;
  plan.evidence.clear();
  plan.idle_latency = false;
  plan.core_clock = false;
  plan.counters = false;
  return plan;
}

std::vector<Turn> turns_of(const std::vector<Member>& members,
                           const std::vector<CpuList>& allowed) {
  std::map<std::pair<int, CpuList>, int> sharers;
  std::vector<Turn> turns;
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    turns.push_back({sharers[{members[rank].host_number, allowed[rank]}]++, 0});
  }
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    turns[rank].of = sharers[{members[rank].host_number, allowed[rank]}];
  }
  return turns;
}

Result<CpuList> named_cpus(const Machine& machine, const PlacementRequest& request,
                           bool oversubscribe) {
  if (!request.expression) {
    return request.cpus;
  }
  return expand(*request.expression, machine,
                oversubscribe ? Oversubscribe::kAllowed : Oversubscribe::kRefused);
}

Result<Placement> place_rank(const Machine& machine, const PlacementRequest& request,
                             const Turn& turn, bool oversubscribe) {
  const int threads = request.threads.value_or(1);
  if (request.kind == PlacementKind::kNone) {
    return Placement{PlacementKind::kNone, threads, {}};
  }
  STREAMGAGE_TRY(const auto all, cpus_for_all(machine, request, threads * turn.of,
                                              oversubscribe || request.oversubscribe));
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(threads) * turn.turn;
  return Placement{request.kind, threads, CpuList(first, first + threads)};
}

}  // namespace streamgage::engine
