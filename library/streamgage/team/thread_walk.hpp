// A thread's walk through its work, in windows of a fraction of a millisecond. A scheduler
// takes the CPU from a thread for milliseconds. So on a busy machine most windows are quiet, while
// hardly any whole pass is. What all threads move in the time in which all of them had their
// CPUs is what the machine can do, also next to other programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "streamgage/clock/clock.hpp"

namespace streamgage {

// The end of a window, which is the start of the next one.
struct WalkMark {
  Instant at;
  std::int64_t cpu_nanoseconds = 0;  // that the thread had since it started
  std::int64_t elements = 0;         // of the window that ends here
};

// Returns the mark of this moment, on the calling thread.
WalkMark mark_now(std::int64_t elements);

// Returns whether the thread kept its CPU between two marks: it lost less than a twentieth of the
// time, but for what a timer takes.
bool is_quiet_between(const WalkMark& before, const WalkMark& after);

// The windows of one thread. The thread itself makes the marks.
struct ThreadWalk {
  std::vector<WalkMark> marks;
  std::int64_t switches = 0;  // involuntary ones, from the start to the end of the walk

  // Makes room for that many windows, so that nothing is allocated while they are walked.
  void reserve(std::size_t windows) { marks.reserve(windows + 1); }
  void start();
  void end_window(std::int64_t elements);
  // Call it after the last window.
  void finish();
};

// A stretch of time in which every thread had its CPU.
struct QuietStretch {
  double seconds = 0.0;
  double elements = 0.0;  // moved by all threads
};

// What the walks of all threads have in common.
struct QuietTime {
  double seconds = 0.0;   // in which every thread had its CPU
  double elements = 0.0;  // moved meanwhile by all threads
  int windows = 0;        // of all threads together
  int quiet_windows = 0;
  // Whether no thread lost its CPU at any time.
  bool is_undisturbed = false;
  // The quiet time cut at the windows of the first thread, in their order.
  std::vector<QuietStretch> stretches = {};
};

// Returns the time in which every thread was in a quiet window: it lost less than a twentieth of
// it, and it took not much longer than the thread's other windows. The time in which only some
// threads walk counts for none. Walks without a window are left out. The clocks of all walks must
// be the same.
QuietTime quiet_time(const std::vector<ThreadWalk>& walks);

}  // namespace streamgage
