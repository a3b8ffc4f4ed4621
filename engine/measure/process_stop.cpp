#include "measure/process_stop.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "streamgage/clock/clock.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage::engine {
namespace {

constexpr double kSecondsBetweenLooks = 1.0;
constexpr double kLeastStopSeconds = 0.5;

struct Look {
  Instant at;
  ThreadSeconds busy;
};

volatile std::sig_atomic_t was_continued = 0;
std::optional<Look> last_look;       // nothing where stops are not watched
std::atomic<double> all_stops{0.0};  // seconds

extern "C" void note_continued(int /*signal*/) { was_continued = 1; }

}  // namespace

void watch_process_stops() {
  last_look = Look{now(), busy_seconds_of_threads()};
  struct sigaction action {};
  action.sa_handler = &note_continued;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGCONT, &action, nullptr);
}

void look_for_stops() {
  if (!last_look) {
    return;
  }
  const bool goes_on_again = was_continued != 0;
  if (!goes_on_again && seconds_between(last_look->at, now()) < kSecondsBetweenLooks) {
    return;
  }
  was_continued = 0;
  Look look{now(), busy_seconds_of_threads()};
  if (goes_on_again) {
    const double idle =
        idle_seconds(seconds_between(last_look->at, look.at), last_look->busy, look.busy);
    all_stops = all_stops + (idle >= kLeastStopSeconds ? idle : 0.0);
  }
  last_look = std::move(look);
}

double stopped_seconds() { return all_stops; }

ThreadSeconds busy_seconds_of_threads(const std::string& proc_root) {
  ThreadSeconds busy;
  std::error_code error;
  std::filesystem::directory_iterator folder(proc_root + "/self/task", error);
  for (; !error && folder != std::filesystem::directory_iterator(); folder.increment(error)) {
    const auto thread = parse_unsigned(folder->path().filename().string());
    // Nanoseconds on a CPU, and nanoseconds in a run queue.
    const auto file = read_pseudo_file(folder->path().string() + "/schedstat");
    if (!thread || !file) {
      continue;
    }
    std::string_view rest = *file;
    const auto run = parse_unsigned(take_word(rest));
    const auto queued = parse_unsigned(take_word(rest));
    if (run && queued) {
      busy[static_cast<int>(*thread)] = static_cast<double>(*run + *queued) * 1e-9;
    }
  }
  return busy;
}

double idle_seconds(double seconds, const ThreadSeconds& before, const ThreadSeconds& after) {
  double busiest = before.empty() ? seconds : 0.0;  // where nothing is known, nothing is blamed
  for (const auto& [thread, busy] : after) {
    const auto earlier = before.find(thread);
    busiest = std::max(busiest, earlier == before.end() ? 0.0 : busy - earlier->second);
  }
  return std::max(0.0, seconds - busiest);
}

}  // namespace streamgage::engine
