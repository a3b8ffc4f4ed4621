#include "streamgage/team/pause.hpp"

#include <sys/resource.h>

#include <ctime>
#include <string_view>

#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

constexpr double kSecondsBetweenReadings = 1.0;

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

ThreadUse use_of_this_thread() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return {now(), thread_cpu_seconds(), usage.ru_nvcsw, usage.ru_nivcsw, usage.ru_majflt};
}

std::optional<double> queued_seconds(const std::string& proc_root) {
  // Nanoseconds on a CPU, nanoseconds in a run queue, and turns (Documentation/scheduler).
  const auto file = read_pseudo_file(proc_root + "/thread-self/schedstat");
  if (!file) {
    return std::nullopt;
  }
  std::string_view rest = *file;
  take_word(rest);
  const auto nanoseconds = parse_unsigned(take_word(rest));
  return nanoseconds ? std::optional(static_cast<double>(*nanoseconds) * 1e-9) : std::nullopt;
}

double paused_seconds(const ThreadUse& before, const ThreadUse& after,
                      std::optional<double> queued) {
  const bool has_waited = after.waits > before.waits;
  const bool has_lost_its_cpu = after.switches > before.switches;
  if (!has_waited || after.major_faults > before.major_faults || (has_lost_its_cpu && !queued)) {
    return 0.0;
  }
  const double paused = seconds_between(before.at, after.at) -
                        (after.cpu_seconds - before.cpu_seconds) - queued.value_or(0.0);
  return paused >= kLeastPauseSeconds ? paused : 0.0;
}

void PauseMeter::start() {
  if (queued_at_ == Instant::min() ||
      seconds_between(queued_at_, now()) >= kSecondsBetweenReadings) {
    queued_before_ = queued_seconds();
    queued_at_ = now();
  }
  before_ = use_of_this_thread();
}

PauseMeter::Reading PauseMeter::stop() {
  const ThreadUse after = use_of_this_thread();
  Reading reading{0.0, after.switches - before_.switches};
  // A thread that has not waited does without the file.
  if (seconds_between(before_.at, after.at) >= kLeastPauseSeconds && after.waits > before_.waits) {
    const auto queued = queued_seconds();
    reading.paused_seconds = paused_seconds(
        before_, after,
        queued && queued_before_ ? std::optional(*queued - *queued_before_) : std::nullopt);
  }
  return reading;
}

}  // namespace streamgage
