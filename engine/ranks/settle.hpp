// Lets the ranks agree on variants, placement and sizes before the first sample. Nothing is
// touched yet.
#pragma once

#include <string>
#include <vector>

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "measure/setup.hpp"
#include "ranks/crew.hpp"
#include "ranks/host_lock.hpp"
#include "ranks/join.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

struct RanksRequest {
  std::string plan;  // its JSON: every rank reads it by itself
  bool oversubscribe = false;
  std::string mpi;  // the library that connects the ranks: name, version, file
  LockWish lock;
};

struct Agreement {
  HostsLocked locked;  // with a signal in it nothing else is settled
  Plan plan;
  Decision decision;  // of all ranks together
  std::optional<record::PlacementRecord> placement;
  int threads = 0;  // of all ranks together
  Shares shares;
  int arrays = 0;                      // that are reserved: those of the first tier
  std::vector<CpuList> cpus_of_hosts;  // one list a rank: what all ranks of its host use
  double patience_for_all = 0.0;       // seconds that touching all arrays may need at worst
};

// Lets all ranks prepare what the plan asks for, once no other measurement runs on their hosts. A
// plan that cannot be met is reported before any waiting. It is an error if the plan cannot be met,
// or if threads or memory are not available.
Result<Agreement> settle(Crew& crew, const RanksRequest& request);

}  // namespace streamgage::engine
