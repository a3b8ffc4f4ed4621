// SIGINT and SIGTERM ask for an end: the sample that runs is finished, and the records are closed.
// A run that has not ended by itself a second later, because something holds it up that looks at no
// signal (the first touch of large arrays, the search for the topology, a long sample), is ended by
// a thread that waits for nothing else.
#pragma once

#include <functional>

namespace streamgage::engine {

// Installs the handlers, and unblocks what whoever started this program has blocked: a kernel whose
// bad access cannot be handled would end the process. From then on SIGPIPE is ignored, so that a
// reader that has gone shows as a failed write.
void watch_stop_signals();

// The same in a child of a process that has called that: threads do not survive a fork.
void watch_stop_signals_after_fork();

// Also takes SIGUSR1 for SIGTERM and SIGUSR2 for SIGINT: launchers pass these on to their programs,
// where the others end the launcher itself.
void watch_stop_signals_of_launchers();

// Takes it for SIGTERM where standard error, a pipe, has no reader any more: whoever started this
// program has gone. Where the variable STREAMGAGE_FRONT says "stderr" alone.
void watch_front(const char* variable);

// The signal that asked for an end, or 0.
int stop_signal();

// Called by that thread in place of _exit(status).
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

  // The run ends by itself from here on. Does not return where it is being ended already.
  void keep();

 private:
  std::function<void(int signal)> say_;
};

}  // namespace streamgage::engine
