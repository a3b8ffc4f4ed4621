#include "environment/cpu_time_trial.hpp"

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <ctime>
#include <thread>
#include <vector>

#include "base/json_lines.hpp"
#include "environment/compute_loop.hpp"
#include "measure/outside_load.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/placement/binding.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage::engine {
namespace {

constexpr double kChunk = 1e-3;  // of computing between two looks at the clock

std::optional<double> idle_so_far(const FileRoots& roots, const CpuList& cpus) {
  const auto stat = read_pseudo_file(roots.proc + "/stat");
  const auto times =
      stat ? parse_cpu_times(*stat, cpus, static_cast<double>(sysconf(_SC_CLK_TCK))) : std::nullopt;
  return times ? std::optional(times->idle) : std::nullopt;
}

double cpu_seconds_of_this_thread() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

}  // namespace

CpuTimeTrial try_cpu_time(const Machine& machine, double seconds, const FileRoots& roots) {
  const CpuList& cpus = machine.allowed_cpus;
  const std::int64_t steps = steps_for(kChunk);
  std::vector<double> used(cpus.size());
  std::atomic<std::uint64_t> sum = 0;  // so that the work is not left out
  const auto idle_before = idle_so_far(roots, cpus);
  const Instant start = now();
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      threads.emplace_back([&, i] {
        (void)bind_this_thread(cpus[i]);  // where that is refused, the kernel spreads them
        std::uint64_t value = i;
        while (seconds_between(start, now()) < seconds) {
          value = compute(steps, value);
        }
        sum += value;
        used[i] = cpu_seconds_of_this_thread();
      });
    }
  }
  CpuTimeTrial trial;
  trial.threads = static_cast<int>(cpus.size());
  trial.seconds = seconds_between(start, now());
  for (const double each : used) {
    trial.cpu_seconds += each;
  }
  const auto idle_after = idle_so_far(roots, cpus);
  if (idle_before && idle_after) {
    trial.idle_seconds = *idle_after - *idle_before;
  }
  return trial;
}

record::CpuTimeTrial record_of(const CpuTimeTrial& trial) {
  return {.threads = trial.threads,
          .seconds = trial.seconds,
          .cpu_seconds = trial.cpu_seconds,
          .idle_seconds = trial.idle_seconds};
}

}  // namespace streamgage::engine
