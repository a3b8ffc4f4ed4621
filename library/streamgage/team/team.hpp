// A team of threads that measures: each binds itself, and each timed call proves where it ran.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/placement/placement.hpp"

namespace streamgage {

// Returns the number of threads that the OpenMP runtime starts by default.
int runtime_thread_count();

// The work of every thread in a timed call. Only the function `run` is timed; it must not throw.
struct TimedWork {
  std::function<double(int thread)> run;        // what it returns is summed over the threads
  std::function<void(int thread)> before = {};  // on the same thread, before all start together
  std::function<void(int thread)> after = {};
};

// One timed call.
struct Timing {
  double seconds = 0.0;  // from the first start of a thread to the last end
  Instant first;
  Instant last;
  double value = 0.0;  // sum over the threads of what each returned
  CpuList cpus_start;  // one a thread
  CpuList cpus_end;
  int moved = 0;              // threads that changed CPU meanwhile or were off their bound one
  std::int64_t switches = 0;  // involuntary context switches
  // Whether a thread stood still without waiting for a CPU, such as while the process is stopped:
  // the call's seconds then mean nothing. Only known for work that computes and never waits.
  double paused_seconds = 0.0;
};

// The point at which teams of several processes wait for each other.
using Gate = std::function<void()>;

// Threads of the OpenMP runtime, each on its CPU. They are the runtime's own: a program has one
// team at a time, uses it from the thread that assembled it, which is its first, and finds them
// bound in its own parallel regions.
class Team {
 public:
  // Starts the threads and lets each bind itself to its CPU of the placement. The runtime may give
  // fewer threads than asked for: size() says how many. A `gate` is called by the first thread
  // before each timed call, and all threads wait for it to return. An error names a CPU that is not
  // available, or says that the system gives fewer threads.
  static Result<Team> assemble(const Placement& placement, Gate gate = {});

  // Returns the number of threads.
  [[nodiscard]] int size() const { return size_; }

  // Returns the CPU that each thread was placed on; empty if they are not bound.
  [[nodiscard]] const CpuList& placed() const { return placed_; }

  // Returns the CPU that each thread was on after the binding.
  [[nodiscard]] const CpuList& cpus() const { return cpus_; }

  // Returns the CPUs that each thread could run on after the binding.
  [[nodiscard]] const std::vector<CpuList>& masks() const { return masks_; }

  // Returns whether each thread could only run on one CPU after the binding.
  [[nodiscard]] bool bound() const;

  // Calls work(thread) on every thread at once. It must not throw.
  void each(const std::function<void(int)>& work) const;

  // Starts all threads together, and times them. Between the two readings of a thread's clock there
  // is only its call of `run`.
  [[nodiscard]] Timing time(const TimedWork& work) const;

 private:
  Team() = default;

  int size_ = 0;
  Gate gate_;
  CpuList placed_;
  CpuList cpus_;
  std::vector<CpuList> masks_;
};

}  // namespace streamgage
