// Idle latency of memory: the time of one load when nothing else is at work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "contract/course.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/array.hpp"
#include "streamgage/team/thread_walk.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

struct LatencyRequest {
  std::uint64_t bytes = 0;  // of the chain; at least a line
  std::size_t line_bytes = 64;
  std::int64_t loads = 1 << 18;  // of one walk: some 25 ms
  int repeats = 15;              // at most; the budget leaves at least kLeastRepeats
  double budget_seconds = 1.5;   // for all of it, the making of the chain included
  std::uint64_t seed = 1;
  PageSize pages = PageSize::kHuge;
  CpuList nodes = {};  // to take the chain's memory from; none: where it is first touched

  static constexpr int kLeastRepeats = 7;
};

// Seconds are those of one load.
struct Latency {
  double seconds = 0.0;  // median of the walks
  double minimum = 0.0;
  double maximum = 0.0;
  int repeats = 0;
  std::uint64_t bytes = 0;
  std::int64_t loads = 0;  // of one walk
  std::optional<double> huge_share;
  std::optional<int> cpu;  // none: of a device
  std::optional<CpuList> nodes =
      {};  // where pages of a bound chain were found, if the kernel reports them
  // The share of the loads of a walk that counts, the median over the walks: those in windows in
  // which the thread kept its CPU. None: of a device.
  std::optional<double> quiet_share = {};
};

// The time of one load of a walk.
struct WalkTime {
  // In the windows in which the thread kept its CPU; of the whole walk if these are too few.
  double seconds = 0.0;
  double wall_seconds = 0.0;  // of the whole walk
  double quiet_share = 0.0;   // of the loads
};

// Requires: a window, at least. Its elements are loads.
WalkTime time_of_walk(const ThreadWalk& walk);

// Returns the longest line of a cache: what a load brings.
std::size_t longest_line(const Machine& machine);

// Returns the request for that CPU: its last-level cache and the memory that was free when the
// machine was examined set the size. So touch the arrays of a benchmark later.
Result<LatencyRequest> latency_request(const Machine& machine, int cpu, const CpuList& nodes);

// Makes a chain in new memory, walks it on the calling thread, which should be bound, and frees the
// memory. A team's first thread is the thread that assembled the team.
Result<Latency> measure_latency(const LatencyRequest& request);

record::IdleLatency record_of(const Latency& latency);

}  // namespace streamgage::engine
