// Chooses the CPUs that each rank of a host gets.
#pragma once

#include <vector>

#include "base/plan.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/placement/placement.hpp"
#include "streamgage/topology/machine.hpp"
#include "world/world.hpp"

namespace streamgage::engine {

// Returns the plan as far as ranks support it: no tuning, and nothing that is measured only for the
// interpretation. It is an error if the plan has own kernels or names NUMA nodes.
Result<Plan> reduced_to_ranks(Plan plan);

// A rank among those that share its CPUs.
struct Turn {
  int turn = 0;  // from 0
  int of = 1;
};

// Returns each rank's turn: ranks of one host that may use the same CPUs share them, in their
// order. `allowed` has one list for each rank.
std::vector<Turn> turns_of(const std::vector<Member>& members, const std::vector<CpuList>& allowed);

// Returns the CPUs that a request lists, or those that its expression means on this machine; none
// if it names none. `oversubscribe`: an expression may name a CPU twice.
Result<CpuList> named_cpus(const Machine& machine, const PlacementRequest& request,
                           bool oversubscribe);

// Returns the CPUs of one rank, one per thread; one thread if the request gives no number. With
// kCores, all threads of the ranks that share the CPUs are placed as if they were one process, and
// dealt out in order, so that ranks get neighbouring CPUs. With kCpus, the named CPUs are dealt
// out. More threads than CPUs is an error; with `oversubscribe`, which the request may also hold,
// the CPUs are dealt out again.
Result<Placement> place_rank(const Machine& machine, const PlacementRequest& request,
                             const Turn& turn, bool oversubscribe);

}  // namespace streamgage::engine
