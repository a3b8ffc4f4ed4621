// Detects stops of this process: SIGSTOP or Ctrl-Z, and SIGCONT later. The process cannot see the
// stop, only SIGCONT.
#pragma once

#include <map>
#include <string>

namespace streamgage::engine {

// Installs the handler of SIGCONT and starts to watch.
void watch_process_stops();

// Checks whether the process was stopped since the last call, and checks its threads once a second.
// Call it regularly, on one thread only. Does nothing if nothing watches.
void look_for_stops();

// Returns how many seconds the process was stopped, as far as the calls above noticed. A stop
// shorter than half a second does not count.
double stopped_seconds();

// Seconds that each thread has run or waited for a CPU, by its number; empty where the kernel does
// not report it.
using ThreadSeconds = std::map<int, double>;
ThreadSeconds busy_seconds_of_threads(const std::string& proc_root = "/proc");

// Returns for how many of these `seconds` at most no thread ran or waited for a CPU, by the
// busiest thread.
double idle_seconds(double seconds, const ThreadSeconds& before, const ThreadSeconds& after);

}  // namespace streamgage::engine
