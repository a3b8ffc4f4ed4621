// Which CPUs each rank of a host gets.
#pragma once

#include <vector>

#include "base/plan.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/placement/placement.hpp"
#include "streamgage/topology/machine.hpp"
#include "world/world.hpp"

namespace streamgage::engine {

// The plan as far as ranks go along with it: no search of shapes and nothing that is measured for
// the interpretation alone. The error is for a plan that names NUMA nodes.
Result<Plan> reduced_to_ranks(Plan plan);

// A rank among those that share its CPUs.
struct Turn {
  int turn = 0;  // from 0
  int of = 1;
};

// Whose turn it is: ranks of one host that may use the same CPUs share them, in their order.
// `allowed`: one list a rank.
std::vector<Turn> turns_of(const std::vector<Member>& members, const std::vector<CpuList>& allowed);

// The CPUs that a request lists, or those that its expression stands for on this machine; none
// where it names none. `oversubscribe`: an expression may name a CPU twice.
Result<CpuList> named_cpus(const Machine& machine, const PlacementRequest& request,
                           bool oversubscribe);

// The CPUs of one rank, one a thread (one thread where the request names no number). With kCores
// all threads of the ranks that share the CPUs are placed as those of one process would be, and
// dealt out in order, so that ranks get neighbouring CPUs; kCpus: those that are named are dealt
// out. More threads than CPUs is an error, or with `oversubscribe`, which the request may also
// hold, the CPUs are dealt out again.
Result<Placement> place_rank(const Machine& machine, const PlacementRequest& request,
                             const Turn& turn, bool oversubscribe);

}  // namespace streamgage::engine
