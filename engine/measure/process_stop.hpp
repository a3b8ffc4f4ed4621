// Stops of this process: SIGSTOP or Ctrl-Z, and SIGCONT later. It cannot see the one, and gets the
// other.
#pragma once

#include <map>
#include <string>

namespace streamgage::engine {

// Installs the handler of SIGCONT and starts to watch.
void watch_process_stops();

// Looks whether the process was stopped since the last look, and at its threads once a second. Call
// it now and then on one thread, the one that watches; without watching it does nothing.
void look_for_stops();

// Seconds that the process was stopped since it watches, as far as that was looked for. A stop
// shorter than half a second is not one.
double stopped_seconds();

// Seconds that each thread has run or waited for a CPU, by its number; empty where the kernel does
// not report it.
using ThreadSeconds = std::map<int, double>;
ThreadSeconds busy_seconds_of_threads(const std::string& proc_root = "/proc");

// Of so many seconds those in which no thread ran or waited for a CPU, at most: those of the
// busiest thread.
double idle_seconds(double seconds, const ThreadSeconds& before, const ThreadSeconds& after);

}  // namespace streamgage::engine
