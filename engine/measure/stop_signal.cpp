#include "measure/stop_signal.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace streamgage::engine {
namespace {

constexpr std::chrono::seconds kTimeToEnd{1};
constexpr std::size_t kStackOfWatcher = 256U << 10U;

// Signal handlers know nothing but what is global.
std::atomic<int> stop_requested{0};
std::atomic<int> wakes_watcher{-1};  // an eventfd

std::atomic<bool> is_front_watched{false};
std::atomic<void (*)(int)> end_process{nullptr};

// Of the run that goes on.
std::mutex words_mutex;
const std::function<void(int)>* last_words = nullptr;
bool ends_by_itself = false;

static_assert(std::atomic<int>::is_always_lock_free);

void request_stop(int signal) {
  stop_requested = signal;
  if (const int descriptor = wakes_watcher; descriptor >= 0) {
    const int error = errno;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(descriptor, &one, sizeof one);
    errno = error;
  }
}

extern "C" void note_stop(int signal) { request_stop(signal); }

extern "C" void note_forwarded_stop(int signal) {
  request_stop(signal == SIGUSR1 ? SIGTERM : SIGINT);
}

void await_stop() {
  while (stop_requested == 0) {
    std::array<pollfd, 2> looks{
        {{wakes_watcher, POLLIN, 0}, {is_front_watched ? STDERR_FILENO : -1, 0, 0}}};
    (void)poll(looks.data(), looks.size(), -1);
    if ((static_cast<unsigned>(looks[1].revents) & (POLLERR | POLLHUP)) != 0) {
      request_stop(SIGTERM);
    }
  }
}

[[noreturn]] void end_overdue_run() {
  std::this_thread::sleep_for(kTimeToEnd);
  std::unique_lock lock(words_mutex);
  if (last_words != nullptr) {
    (*last_words)(stop_requested);
  } else if (ends_by_itself) {
    lock.unlock();
    std::this_thread::sleep_for(kTimeToEnd);
    lock.lock();
  }
  const int status = 128 + stop_requested;
  if (void (*const end)(int) = end_process; end != nullptr) {
    end(status);
  }
  _exit(status);
}

extern "C" void* watch_for_stop(void* /*nothing*/) {
  await_stop();
  end_overdue_run();
}

// Where the system gives no thread, a stop is noticed only where the run looks for it.
bool launch_watcher() {
  wakes_watcher = eventfd(0, EFD_CLOEXEC);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);  // signals are for the other threads
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackOfWatcher);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const int error = pthread_create(&thread, &attributes, &watch_for_stop, nullptr);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return error == 0;
}

void start_watcher() {
  static const bool is_started = launch_watcher();
  (void)is_started;
}

}  // namespace

void watch_stop_signals() {
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  start_watcher();
  struct sigaction action {};
  action.sa_handler = &note_stop;
  sigemptyset(&action.sa_mask);
  // SIGTERM may come twice for one reason: the kernel sends the signal of a parent's death once for
  // each of its threads.
  sigaction(SIGTERM, &action, nullptr);
  // A second Ctrl-C ends the process at once.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

void watch_stop_signals_after_fork() {
  const int of_parent = wakes_watcher.exchange(-1);
  (void)launch_watcher();
  close(of_parent);
}

void watch_stop_signals_of_launchers() {
  struct sigaction action {};
  action.sa_handler = &note_forwarded_stop;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGUSR2, &action, nullptr);
}

void watch_front(const char* variable) {
  if (variable != nullptr && std::string_view(variable) == "stderr") {
    is_front_watched = true;
    start_watcher();
  }
}

int stop_signal() { return stop_requested; }

void end_overdue_runs_by(void (*end)(int status)) { end_process = end; }

LastWords::LastWords(std::function<void(int signal)> say) : say_(std::move(say)) {
  const std::lock_guard lock(words_mutex);
  last_words = &say_;
}

LastWords::~LastWords() { keep(); }

void LastWords::keep() {
  const std::lock_guard lock(words_mutex);
  last_words = nullptr;
  say_ = nullptr;
  ends_by_itself = true;
}

}  // namespace streamgage::engine
