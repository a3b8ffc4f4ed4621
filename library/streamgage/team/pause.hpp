// Pauses of a thread: time in which it neither ran nor waited for a CPU, as while its process is
// stopped by a signal, a debugger or the freezer of control groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "streamgage/clock/clock.hpp"

namespace streamgage {

// What the kernel counts of a thread, at one moment.
struct ThreadUse {
  Instant at;
  double cpu_seconds = 0.0;
  std::int64_t waits = 0;         // context switches that the thread itself caused
  std::int64_t switches = 0;      // involuntary ones
  std::int64_t major_faults = 0;  // page faults that waited for a disk
};

ThreadUse use_of_this_thread();

// Seconds that this thread has waited for a CPU since it started; nothing where the kernel does not
// report it.
std::optional<double> queued_seconds(const std::string& proc_root = "/proc");

// The kernel's own waits are shorter.
inline constexpr double kLeastPauseSeconds = 0.25;

// Seconds between two moments in which the thread neither ran nor waited for a CPU; 0 where they
// are fewer than kLeastPauseSeconds. `queued`: what it waited for a CPU meanwhile, or more; without
// it, a thread that lost its CPU is not judged. Time that a hypervisor took and waits for a disk
// are no pause, and neither is what a thread waits that only computes: it does not wait by itself.
double paused_seconds(const ThreadUse& before, const ThreadUse& after,
                      std::optional<double> queued);

// Looks at the thread that calls it, which must only compute between start() and stop().
class PauseMeter {
 public:
  void start();

  struct Reading {
    double paused_seconds = 0.0;
    std::int64_t switches = 0;  // involuntary ones
  };
  // What happened since start().
  Reading stop();

 private:
  ThreadUse before_;
  // An earlier reading serves: it can only make the wait longer, and so the pause shorter.
  Instant queued_at_ = Instant::min();
  std::optional<double> queued_before_;
};

}  // namespace streamgage
