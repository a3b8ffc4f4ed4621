#include "measure/stop_signal.hpp"

#include <csignal>

namespace streamgage::engine {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

extern "C" void note_stop(int signal) { stop_requested = signal; }

extern "C" void note_forwarded_stop(int signal) {
  stop_requested = signal == SIGUSR1 ? SIGTERM : SIGINT;
}

}  // namespace

void watch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = &note_stop;
  sigemptyset(&action.sa_mask);
  // SIGTERM may come twice for one reason: the kernel sends the signal of a parent's death once for
  // each of its threads.
  sigaction(SIGTERM, &action, nullptr);
  // A second Ctrl-C ends the process at once.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  (void)std::signal(SIGPIPE, SIG_IGN);
}

void watch_stop_signals_of_launchers() {
  struct sigaction action {};
  action.sa_handler = &note_forwarded_stop;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGUSR2, &action, nullptr);
}

int stop_signal() { return stop_requested; }

}  // namespace streamgage::engine
