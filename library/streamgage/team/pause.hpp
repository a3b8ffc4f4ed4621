// Pauses of a thread: time in which it neither ran nor waited for a CPU, as while its process is
// stopped by a signal, a debugger or the freezer of control groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "streamgage/clock/clock.hpp"

namespace streamgage {

// The kernel's counts about a thread at one moment.
struct ThreadUse {
  Instant at;
  double cpu_seconds = 0.0;
  std::int64_t waits = 0;         // context switches that the thread itself caused
  std::int64_t switches = 0;      // involuntary ones
  std::int64_t major_faults = 0;  // page faults that waited for a disk
};

ThreadUse use_of_this_thread();

// Returns the seconds for which this thread has waited for a CPU since it started. Nothing if the
// kernel does not report it.
std::optional<double> queued_seconds(const std::string& proc_root = "/proc");

// The shortest pause that counts, because the kernel's own waits are shorter.
inline constexpr double kLeastPauseSeconds = 0.25;

// Returns the seconds between two moments in which the thread neither ran nor waited for a CPU; 0
// if they are fewer than kLeastPauseSeconds. `queued` is the time that it waited for a CPU
// meanwhile, or more. Without it, a thread that lost its CPU is not judged. Time that a hypervisor
// took is not a pause, nor are waits for a disk, nor waits that the thread itself caused, because a
// thread that only computes causes none.
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
  // Returns what happened since start().
  Reading stop();

 private:
  ThreadUse before_;
  // An earlier reading is good enough: it can only make the wait longer, and so the pause shorter.
  Instant queued_at_ = Instant::min();
  std::optional<double> queued_before_;
};

}  // namespace streamgage
