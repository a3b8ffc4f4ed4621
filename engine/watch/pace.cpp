#include "watch/pace.hpp"

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <ctime>

#include <fmt/format.h>

#include "measure/stop_signal.hpp"

namespace streamgage::engine {
namespace {

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

// Until then, or until a stop signal. The signals are let through in the call alone, so that none
// comes between the look at what was asked for and the sleep.
void sleep_until(std::chrono::steady_clock::time_point due) {
  constexpr long kSecond = 1'000'000'000;
  const auto left = std::max(std::chrono::nanoseconds(0),
                             std::chrono::nanoseconds(due - std::chrono::steady_clock::now()))
                        .count();
  const timespec time{left / kSecond, left % kSecond};
  sigset_t let_through;
  pthread_sigmask(SIG_SETMASK, nullptr, &let_through);
  sigdelset(&let_through, SIGINT);
  sigdelset(&let_through, SIGTERM);
  (void)ppoll(nullptr, 0, &time, &let_through);
}

}  // namespace

Result<std::chrono::nanoseconds> interval_of(double seconds) {
  if (!(seconds >= kLeastInterval && seconds <= kLongestInterval)) {
    return usage_error(fmt::format("an interval of {} s is not between {} and {} s", seconds,
                                   kLeastInterval, kLongestInterval));
  }
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(seconds));
}

std::chrono::steady_clock::time_point next_due(std::chrono::steady_clock::time_point start,
                                               std::chrono::nanoseconds interval,
                                               std::chrono::steady_clock::time_point now) {
  return start + ((now - start) / interval + 1) * interval;
}

EvenPace::EvenPace(std::chrono::nanoseconds interval) : interval_(interval) {
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

EvenPace::~EvenPace() {
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

Beat EvenPace::await() {
  const auto due = next_due(start_, interval_, std::chrono::steady_clock::now());
  while (stop_signal() == 0 && std::chrono::steady_clock::now() < due) {
    sleep_until(due);
  }
  return stop_signal() == 0 ? Beat::kNext : Beat::kLast;
}

std::optional<double> EvenPace::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

Beat RecordedPace::await() {
  if (left_ == 0) {
    return Beat::kOver;
  }
  --left_;
  return left_ == 0 ? Beat::kLast : Beat::kNext;
}

}  // namespace streamgage::engine
