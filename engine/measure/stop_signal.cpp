#include "measure/stop_signal.hpp"

#include <csignal>

namespace streamgage {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

extern "C" void note_stop(int signal) { stop_requested = signal; }

}  // namespace

void watch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = &note_stop;
  sigemptyset(&action.sa_mask);
  // A second signal of the kind ends the process as it would have without the handler.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  (void)std::signal(SIGPIPE, SIG_IGN);
}

int stop_signal() { return stop_requested; }

}  // namespace streamgage
