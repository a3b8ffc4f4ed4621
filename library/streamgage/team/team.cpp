#include "streamgage/team/team.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/placement/binding.hpp"
#include "streamgage/team/pause.hpp"
#include "streamgage/team/spin_barrier.hpp"
#include "streamgage/team/thread_trial.hpp"
#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage {
namespace {

// What one thread notes about its part; apart from its neighbours' lines.
struct alignas(128) Trace {
  Instant start;
  Instant end;
  double value = 0.0;
  int cpu_start = -1;
  int cpu_end = -1;
  PauseMeter::Reading pause;
};

// Of the thread that asks.
PauseMeter& pause_meter() {
  thread_local PauseMeter meter;
  return meter;
}

}  // namespace

int runtime_thread_count() { return omp_get_max_threads(); }

Result<Team> Team::assemble(const Placement& placement, Gate gate) {
  omp_set_dynamic(0);
  STREAMGAGE_TRY(try_runtime_threads(placement.threads));
  const auto asked = static_cast<std::size_t>(placement.threads);
  Team team;
  team.gate_ = std::move(gate);
  team.placed_ = placement.cpus;
  team.cpus_.resize(asked);
  team.masks_.resize(asked);
  std::vector<Result<void>> readied(asked);
#pragma omp parallel num_threads(placement.threads)
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
#pragma omp single
    team.size_ = omp_get_num_threads();
    if (!placement.cpus.empty()) {
      readied[thread] = bind_this_thread(placement.cpus[thread]);
    }
    if (auto mask = affinity_mask()) {
      team.masks_[thread] = std::move(*mask);
    } else {
      readied[thread] = tl::unexpected(mask.error());
    }
    team.cpus_[thread] = sched_getcpu();
  }
  for (const auto& one : readied) {
    STREAMGAGE_TRY(one);
  }
  const auto size = static_cast<std::size_t>(team.size_);
  team.cpus_.resize(size);
  team.masks_.resize(size);
  team.placed_.resize(std::min(size, team.placed_.size()));
  return team;
}

bool Team::bound() const {
  return std::all_of(masks_.begin(), masks_.end(),
                     [](const CpuList& mask) { return mask.size() == 1; });
}

void Team::each(const std::function<void(int)>& work) const {
#pragma omp parallel num_threads(size_)
  work(omp_get_thread_num());
}

Timing Team::time(const TimedWork& work) const {
  std::vector<Trace> traces(static_cast<std::size_t>(size_));
  SpinBarrier barrier(size_);
#pragma omp parallel num_threads(size_)
  {
    const int thread = omp_get_thread_num();
    Trace trace;
    if (gate_) {
      if (thread == 0) {
        gate_();
      }
      barrier.wait();
    }
    PauseMeter& meter = pause_meter();
    meter.start();
    trace.cpu_start = sched_getcpu();
    if (work.before) {
      work.before(thread);
    }
    barrier.wait();
    trace.start = now();
    trace.value = work.run(thread);
    trace.end = now();
    if (work.after) {
      work.after(thread);
    }
    trace.cpu_end = sched_getcpu();
    trace.pause = meter.stop();
    traces[static_cast<std::size_t>(thread)] = trace;
  }

  Timing timing;
  Instant first = traces.front().start;
  Instant last = traces.front().end;
  for (std::size_t thread = 0; thread < traces.size(); ++thread) {
    const Trace& trace = traces[thread];
    first = std::min(first, trace.start);
    last = std::max(last, trace.end);
    timing.value += trace.value;
    timing.switches += trace.pause.switches;
    timing.paused_seconds = std::max(timing.paused_seconds, trace.pause.paused_seconds);
    timing.cpus_start.push_back(trace.cpu_start);
    timing.cpus_end.push_back(trace.cpu_end);
    const int home = placed_.empty() ? trace.cpu_start : placed_[thread];
    timing.moved += trace.cpu_start != home || trace.cpu_end != home ? 1 : 0;
  }
  timing.first = first;
  timing.last = last;
  timing.seconds = seconds_between(first, last);
  return timing;
}

}  // namespace streamgage
