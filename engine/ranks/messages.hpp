// The root's orders to the ranks, and their answers. Each order names the type of its answer. Some
// lists have one entry for each rank.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/own/kernel_failure.hpp"
#include "measure/memory_record.hpp"
#include "measure/outside_load.hpp"
#include "measure/setup.hpp"
#include "measure/workload.hpp"
#include "ranks/placing.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/team/team.hpp"
#include "world/message.hpp"

namespace streamgage::engine {

// The number of elements of every array, with an entry for each rank.
using Shares = std::vector<std::int64_t>;

// The answer to an order that needs none.
struct Acknowledgement {};

// What a rank can measure, and the CPUs on which it may run.
struct Prospect {
  CpuList allowed;
  std::vector<std::string> variants;
};

// The places of the threads of a rank.
struct PlacedThreads {
  std::vector<ThreadPlace> threads;
  int asked_threads = 0;
  bool bound = false;
  CpuList cpus;   // in use
  CpuList named;  // that the plan names, if any
};

// The holder of the lock of a machine; see LockAttempt.
struct LockState {
  std::string holder;
  std::optional<std::string> other;
  std::optional<std::string> defect;
};

// The caches of the CPUs of a host, and the memory of the host.
struct HostMemory {
  std::uint64_t cache_bytes = 0;
  std::uint64_t available_bytes = 0;
  std::optional<std::uint64_t> limit_free_bytes;
};

struct CheckedRun {
  Timing timing;
  Check check;
};

// The activity on the CPUs of a host, and the CPU time of this rank, since the watch began.
struct LoadSeen {
  double own_seconds = 0.0;
  std::optional<Disturbance> seen;
};

namespace orders {

struct Look {
  using Answer = Prospect;
  std::string plan;
};

struct Place {
  using Answer = PlacedThreads;
  std::vector<Turn> turns;  // an entry a rank
  bool oversubscribe = false;
};

struct Lock {
  using Answer = LockState;
  std::vector<int> firsts;  // the ranks that are the first of their hosts
};

// Releases the lock, and waits long enough for others to find it free.
struct Unlock {
  using Answer = Acknowledgement;
  double seconds = 0.0;
};

struct Survey {
  using Answer = HostMemory;
  std::vector<CpuList> cpus;  // of each rank's host, an entry a rank
  bool again = false;         // another measurement had some of the memory until now
};

struct Reserve {
  using Answer = Acknowledgement;
  Shares elements;
  int arrays = 0;
  std::uint64_t seed = 0;        // of random values
  bool has_cpu_a_thread = true;  // on every host, for the threads of all of its ranks
};

struct FirstTouch {
  using Answer = PageSurvey;
};

// Replaces the arrays by that many others, and touches these first.
struct Renew {
  using Answer = PageSurvey;
  int arrays = 0;
};

struct Run {
  using Answer = RunOutcome;
  int variant = 0;
  std::int64_t passes = 1;
};

struct CheckArray {
  using Answer = Check;
  int number = 0;
};

struct RunAndCheck {
  using Answer = CheckedRun;
  int variant = 0;
};

struct Watch {
  using Answer = Acknowledgement;
  std::vector<CpuList> cpus;  // of each rank's host, an entry a rank
};

struct TakeLoad {
  using Answer = LoadSeen;
  int block = 0;
};

// The end: no more orders follow, and no answer is expected.
struct End {};

}  // namespace orders

using Order = std::variant<orders::Look, orders::Place, orders::Lock, orders::Unlock,
                           orders::Survey, orders::Reserve, orders::FirstTouch, orders::Renew,
                           orders::Run, orders::CheckArray, orders::RunAndCheck, orders::Watch,
                           orders::TakeLoad, orders::End>;

STREAMGAGE_MESSAGE(orders::Look, plan);
STREAMGAGE_MESSAGE(orders::Place, turns, oversubscribe);
STREAMGAGE_MESSAGE(orders::Lock, firsts);
STREAMGAGE_MESSAGE(orders::Unlock, seconds);
STREAMGAGE_MESSAGE(orders::Survey, cpus, again);
STREAMGAGE_MESSAGE(orders::Reserve, elements, arrays, seed, has_cpu_a_thread);
STREAMGAGE_MESSAGE(orders::Renew, arrays);
STREAMGAGE_MESSAGE(orders::Run, variant, passes);
STREAMGAGE_MESSAGE(orders::CheckArray, number);
STREAMGAGE_MESSAGE(orders::RunAndCheck, variant);
STREAMGAGE_MESSAGE(orders::Watch, cpus);
STREAMGAGE_MESSAGE(orders::TakeLoad, block);

STREAMGAGE_MESSAGE(Prospect, allowed, variants);
STREAMGAGE_MESSAGE(Turn, turn, of);
STREAMGAGE_MESSAGE(ThreadPlace, cpu, core, package, node, mask);
STREAMGAGE_MESSAGE(PlacedThreads, threads, asked_threads, bound, cpus, named);
STREAMGAGE_MESSAGE(LockState, holder, other, defect);
STREAMGAGE_MESSAGE(HostMemory, cache_bytes, available_bytes, limit_free_bytes);
STREAMGAGE_MESSAGE(ArrayPages, name, huge_share, checked, remote, alignment);
STREAMGAGE_MESSAGE(PageSurvey, arrays, touch_seconds, reason);
STREAMGAGE_MESSAGE(Timing, seconds, first, last, value, cpus_start, cpus_end, moved, switches,
                   paused_seconds);
STREAMGAGE_MESSAGE(KernelFailure, kernel, source, reason, message);
STREAMGAGE_MESSAGE(WalkMark, at, cpu_nanoseconds, elements);
STREAMGAGE_MESSAGE(ThreadWalk, marks, switches);
STREAMGAGE_MESSAGE(RunOutcome, timing, walks, spot_check_passed, failure);
STREAMGAGE_MESSAGE(Check, checked, wrong, first_wrong, expected, found, is_known, failure);
STREAMGAGE_MESSAGE(CheckedRun, timing, check);
STREAMGAGE_MESSAGE(Disturbance, first_block, last_block, seconds, steal_seconds, other_seconds,
                   throttled_seconds);
STREAMGAGE_MESSAGE(LoadSeen, own_seconds, seen);

}  // namespace streamgage::engine
