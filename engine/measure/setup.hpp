// Everything that is settled before the first sample: variants, placement, sizes, threads, pages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "contract/setting.hpp"
#include "kernels/choose_variants.hpp"
#include "kernels/variant.hpp"
#include "measure/workload.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/memory/array_size.hpp"
#include "streamgage/placement/placement.hpp"
#include "streamgage/team/team.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// Number of arrays that counters are tried on.
constexpr int kArraysOfTrial = 2;

// The decisions that a plan leads to on this machine. They are made without allocating or starting
// anything, so a plan that cannot be met is refused before any work.
struct Decision {
  VariantChoice choice;
  Placement placement;
  CpuList memory_nodes;  // none: pages lie where they are first touched
  SizeRequest size_request;
  int arrays = 0;  // of the catalogue's kernels; size_request counts those of own ones, too
  ArraySize size;
  std::uint64_t seed = 0;
};

std::uint64_t draw_seed();

// Returns the error for HWLOC_* variables that ask for another machine.
Error not_this_machine();

// Returns the bytes of each array that the plan asks for, if it does. It is an error if the plan
// asks for a working set of kernels that use different numbers of arrays.
Result<std::optional<std::uint64_t>> asked_array_bytes(const Plan& plan,
                                                       const VariantChoice& choice);

// Returns an error if the sum of a thread over so many elements might be rounded; see
// most_exact_terms().
Result<void> require_exact_sums(const Plan& plan, const VariantChoice& choice,
                                std::int64_t elements_a_part);

// Returns whether each thread can have a CPU of its own at the same time as the others.
bool has_cpu_a_thread(const Machine& machine, const Placement& placement, int threads);

Result<Decision> decide(const Machine& machine, const Plan& plan);

// Notes that the runtime gave `threads` threads, perhaps fewer than requested: the CPUs and caches
// in use are theirs.
void take_size_of_team(const Machine& machine, const Plan& plan, int threads, Decision& decision);

// Returns the CPUs that threads may run on: the placed ones, or all allowed ones with placement
// none.
CpuList cpus_in_use(const Machine& machine, const Placement& placement);

Json plan_record(const Plan& plan, const Decision& decision, int threads);
// Returns a record for each kernel of the variants.
std::vector<Json> kernel_records(const VariantChoice& choice);
// Returns a record for each variant, and one for each that is not available.
std::vector<Json> variant_records(const VariantChoice& choice);

// The place of a thread of a team. -1: not known.
struct ThreadPlace {
  int cpu = -1;
  int core = -1;
  int package = -1;
  int node = -1;
  std::string mask;  // the CPUs that it may run on
};

std::vector<ThreadPlace> thread_places(const Machine& machine, const Team& team);
record::ThreadPlace record_of(const ThreadPlace& place);
Json placement_record(const Machine& machine, const Placement& placement, const Team& team);

}  // namespace streamgage::engine
