#include "streamgage/team/thread_walk.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>

#include "streamgage/statistics/summary.hpp"

namespace streamgage {
namespace {

// A window that lost more than this share of its time is not quiet, but for what a timer takes.
constexpr double kMostLost = 0.05;
constexpr double kTimerSeconds = 10e-6;
// Threads leave a barrier within some microseconds of each other.
constexpr double kLateStartSeconds = 20e-6;
// A window that took so many times as long as the thread's usual one was not the memory's: a
// hypervisor that takes a CPU away need not tell the kernel.
constexpr double kGap = 8.0;

std::int64_t cpu_nanoseconds_of_this_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::int64_t switches_of_this_thread() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

// A window of one thread, on the common clock.
struct Window {
  double start = 0.0;  // seconds
  double end = 0.0;
  double elements = 0.0;
  bool is_quiet = true;

  [[nodiscard]] double seconds() const { return end - start; }
};

std::vector<Window> windows_of(const ThreadWalk& walk, Instant origin) {
  const std::vector<WalkMark>& marks = walk.marks;
  std::vector<Window> windows;
  std::vector<double> seconds_an_element;
  bool cpu_clock_moves = true;
  bool any_lost = false;
  for (std::size_t number = 1; number < marks.size(); ++number) {
    const WalkMark& before = marks[number - 1];
    const WalkMark& after = marks[number];
    Window window{seconds_between(origin, before.at), seconds_between(origin, after.at),
                  static_cast<double>(after.elements), true};
    const auto had = static_cast<double>(after.cpu_nanoseconds - before.cpu_nanoseconds) * 1e-9;
    cpu_clock_moves = cpu_clock_moves && had > 0.0;
    window.is_quiet = is_quiet_between(before, after);
    any_lost = any_lost || !window.is_quiet;
    if (window.is_quiet && window.elements > 0.0) {
      seconds_an_element.push_back(window.seconds() / window.elements);
    }
    windows.push_back(window);
  }
  // Some kernels count CPU time in ticks that are longer than a window: then only the number of
  // switches is known.
  if (!cpu_clock_moves || (walk.switches > 0 && !any_lost)) {
    for (Window& window : windows) {
      window.is_quiet = walk.switches == 0;
    }
  }
  if (!seconds_an_element.empty()) {
    const double usual = median(std::move(seconds_an_element));
    for (Window& window : windows) {
      window.is_quiet = window.is_quiet && window.seconds() <= kGap * usual * window.elements;
    }
  }
  return windows;
}

// The moment at which a thread enters a window, or leaves its last one.
struct Turn {
  double at = 0.0;
  std::size_t thread = 0;
  double rate = 0.0;  // elements a second from here on; 0 in a window that is not quiet
  bool is_quiet = false;
  bool is_end = false;  // of its last window
};

}  // namespace

WalkMark mark_now(std::int64_t elements) {
  const Instant at = now();
  return {at, cpu_nanoseconds_of_this_thread(), elements};
}

bool is_quiet_between(const WalkMark& before, const WalkMark& after) {
  const double seconds = seconds_between(before.at, after.at);
  const auto had = static_cast<double>(after.cpu_nanoseconds - before.cpu_nanoseconds) * 1e-9;
  return seconds - had <= std::max(kMostLost * seconds, kTimerSeconds);
}

void ThreadWalk::start() {
  switches = switches_of_this_thread();
  marks.clear();
  end_window(0);
}

void ThreadWalk::end_window(std::int64_t elements) { marks.push_back(mark_now(elements)); }

void ThreadWalk::finish() { switches = switches_of_this_thread() - switches; }

QuietTime quiet_time(const std::vector<ThreadWalk>& walks) {
  QuietTime all;
  std::vector<const ThreadWalk*> walked;
  for (const ThreadWalk& walk : walks) {
    if (walk.marks.size() > 1) {
      walked.push_back(&walk);
    }
  }
  if (walked.empty()) {
    return all;
  }
  const Instant origin = walked.front()->marks.front().at;
  std::vector<Turn> turns;
  double first_start = 0.0;
  double last_start = 0.0;
  double last_end = 0.0;
  all.is_undisturbed = true;
  for (std::size_t thread = 0; thread < walked.size(); ++thread) {
    const std::vector<Window> windows = windows_of(*walked[thread], origin);
    for (const Window& window : windows) {
      ++all.windows;
      all.quiet_windows += window.is_quiet ? 1 : 0;
      all.is_undisturbed = all.is_undisturbed && window.is_quiet;
      const double rate =
          window.is_quiet && window.seconds() > 0.0 ? window.elements / window.seconds() : 0.0;
      turns.push_back({window.start, thread, rate, window.is_quiet});
    }
    first_start = std::min(first_start, windows.front().start);
    last_start = std::max(last_start, windows.front().start);
    last_end = std::max(last_end, windows.back().end);
    turns.push_back({windows.back().end, thread, 0.0, false, true});
    all.is_undisturbed = all.is_undisturbed && walked[thread]->switches == 0;
  }
  // All leave one barrier; a thread that starts late had no CPU.
  all.is_undisturbed =
      all.is_undisturbed &&
      last_start - first_start <= std::max(kMostLost * (last_end - first_start), kLateStartSeconds);
  std::stable_sort(turns.begin(), turns.end(),
                   [](const Turn& one, const Turn& other) { return one.at < other.at; });
  std::vector<double> rates(walked.size(), 0.0);
  std::vector<bool> quiet(walked.size(), false);
  std::size_t number_quiet = 0;
  double rate = 0.0;
  for (std::size_t number = 0; number + 1 < turns.size(); ++number) {
    const Turn& turn = turns[number];
    number_quiet += static_cast<std::size_t>(turn.is_quiet) -
                    static_cast<std::size_t>(bool{quiet[turn.thread]});
    quiet[turn.thread] = turn.is_quiet;
    rate += turn.rate - rates[turn.thread];
    rates[turn.thread] = turn.rate;
    if (turn.thread == 0 && !turn.is_end) {
      all.stretches.emplace_back();
    }
    const double seconds = turns[number + 1].at - turn.at;
    if (number_quiet == walked.size() && seconds > 0.0 && !all.stretches.empty()) {
      all.stretches.back().seconds += seconds;
      all.stretches.back().elements += rate * seconds;
      all.seconds += seconds;
      all.elements += rate * seconds;
    }
  }
  return all;
}

}  // namespace streamgage
