// SIGINT and SIGTERM ask for an end: the current sample is finished, and the records are closed. A
// run may be in a phase that does not look at signals: the first touch of large arrays, the search
// for the topology, a long sample. If it has not ended after one second, a separate thread ends it.
#pragma once

#include <functional>

namespace streamgage::engine {

// Installs the handlers, and unblocks the signals that the caller of this program has blocked:
// otherwise a kernel whose bad access cannot be handled would end the process.
void watch_stop_signals();

// Call this in a child of a process that has called watch_stop_signals(): threads do not survive a
// fork.
void watch_stop_signals_after_fork();

// Also takes SIGUSR1 for SIGTERM and SIGUSR2 for SIGINT: launchers pass these on to their programs,
// where the others end the launcher itself.
void watch_stop_signals_of_launchers();

// If standard error is a pipe and has no reader any more, acts as on SIGTERM: whoever started this
// program is gone. Does so only if the variable STREAMGAGE_FRONT is "stderr".
void watch_front(const char* variable);

// Returns the signal that asked for an end, or 0.
int stop_signal();

// Makes the thread call `end` instead of _exit(status).
void end_overdue_runs_by(void (*end)(int status));

// While it lives, `say` is called before an overdue run is ended; it gets the signal, and runs
// while everything else goes on.
class LastWords {
 public:
  explicit LastWords(std::function<void(int signal)> say);
  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;
  LastWords(LastWords&&) = delete;
  LastWords& operator=(LastWords&&) = delete;
  ~LastWords();

  // From here on the run ends by itself. Does not return if the run is being ended already.
  void keep();

 private:
  std::function<void(int signal)> say_;
};

}  // namespace streamgage::engine
