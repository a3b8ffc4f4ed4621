#include "node/deadline.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <string>

#include "base/output.hpp"

namespace streamgage::engine {
namespace {

constexpr double kLeastSeconds = 1e-3;  // 0 would stop the timer

// Signal handlers know nothing but what is global.
std::string last_sentence;
int last_status = 0;

extern "C" void end_overdue_check(int /*signal*/) {
  (void)write_whole(STDERR_FILENO, last_sentence);
  _exit(last_status);
}

void set_timer(double seconds) {
  double whole = 0.0;
  const double fraction = std::modf(seconds, &whole);
  itimerval timer{};
  timer.it_value = {static_cast<time_t>(whole), static_cast<suseconds_t>(fraction * 1e6)};
  (void)setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace

Deadline::Deadline(double seconds, std::string_view sentence, int exit_status) {
  last_sentence = said_text(sentence);
  last_status = exit_status;
  struct sigaction action {};
  action.sa_handler = &end_overdue_check;
  sigfillset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
  set_timer(std::max(seconds, kLeastSeconds));
}

Deadline::~Deadline() {
  set_timer(0.0);
  (void)std::signal(SIGALRM, SIG_DFL);
}

}  // namespace streamgage::engine
