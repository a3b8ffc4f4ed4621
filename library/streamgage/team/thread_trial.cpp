#include "streamgage/team/thread_trial.hpp"

#include <omp.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"

namespace streamgage {
namespace {

// What GNU OpenMP takes of the calling thread's stack for each thread that it starts is less.
constexpr std::uint64_t kStackOfCallerForAThread = 256;

constexpr const char* kRemedy =
    "ask for fewer, or raise their limit: ulimit -u, ulimit -v, or pids.max of the control group";

// Until then, threads that were started wait.
class Door {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return is_open_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    opened_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

extern "C" void* wait_for_others(void* door) {
  static_cast<Door*>(door)->wait();
  return nullptr;
}

std::uint64_t most_by_stack_of_caller() {
  rlimit limit{};
  const bool is_known = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_known ? limit.rlim_cur / kStackOfCallerForAThread : UINT64_MAX;
}

std::string_view without_blanks_before(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
    text.remove_prefix(1);
  }
  return text;
}

}  // namespace

std::optional<std::size_t> stack_bytes_asked_for(const char* variable) {
  const std::string_view text = without_blanks_before(variable == nullptr ? "" : variable);
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) {
    return std::nullopt;
  }
  const std::string_view rest =
      without_blanks_before(text.substr(static_cast<std::size_t>(end - text.data())));
  const char unit = rest.empty() ? 'k' : static_cast<char>(std::tolower(rest.front()));
  const unsigned shift = unit == 'b' ? 0U : unit == 'm' ? 20U : unit == 'g' ? 30U : 10U;
  return number << shift;
}

Result<void> try_threads(int threads) {
  if (const std::uint64_t most = most_by_stack_of_caller();
      static_cast<std::uint64_t>(threads) > most) {
    return failure(
        fmt::format("the first thread's stack is enough to start {1} more threads, but {0} are "
                    "needed; ask for fewer, or raise the limit: ulimit -s",
                    threads, most));
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (const auto bytes = stack_bytes_asked_for(std::getenv("OMP_STACKSIZE"))) {
    (void)pthread_attr_setstacksize(&attributes, *bytes);  // refuses what is too little
  }
  Door door;
  std::vector<pthread_t> started;
  int error = 0;
  while (error == 0 && started.size() < static_cast<std::size_t>(threads)) {
    pthread_t thread{};
    error = pthread_create(&thread, &attributes, &wait_for_others, &door);
    if (error == 0) {
      started.push_back(thread);
    }
  }
  door.open();
  for (const pthread_t thread : started) {
    pthread_join(thread, nullptr);
  }
  pthread_attr_destroy(&attributes);
  if (error != 0) {
    return failure(fmt::format("the system allows {} more threads, but {} are needed ({}); {}",
                               started.size(), threads, std::generic_category().message(error),
                               kRemedy));
  }
  return {};
}

Result<void> try_runtime_threads(int threads) {
  static std::atomic<int> most_started{1};
  const int needed = std::min(threads, omp_get_thread_limit());
  const int known = most_started;
  if (needed > known) {
    STREAMGAGE_TRY(try_threads(needed - known));
    most_started = needed;
  }
  return {};
}

}  // namespace streamgage
