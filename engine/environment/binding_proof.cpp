#include "environment/binding_proof.hpp"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <set>

#include "base/json_lines.hpp"
#include "contract/environment.hpp"
#include "environment/compute_loop.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/placement/binding.hpp"
#include "streamgage/team/spin_barrier.hpp"
#include "streamgage/team/thread_trial.hpp"
#include "streamgage/topology/affinity_at_start.hpp"
#include "streamgage/topology/allowed_cpus.hpp"
#include "streamgage/topology/cgroup/cgroup.hpp"

namespace streamgage::engine {
namespace {

constexpr int kRounds = 3;
constexpr double kTrialPerWork = 50;  // a second for the usual work
constexpr int kMostThreadsACpu = 4;   // more would show nothing new and take long

// What one thread notes; apart from its neighbours' lines.
struct alignas(128) TakenTurn {
  Instant start;
  Instant end;
  CpuList mask;
  CpuList seen;
};

CpuList union_of(const CpuList& one, const CpuList& other) {
  CpuList all;
  std::set_union(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(all));
  return all;
}

double time_alone(std::int64_t steps) {
  const Instant start = now();
  compute_and_look(steps);
  return seconds_between(start, now());
}

// Every thread of the team does the work once, all starting together. The team is the runtime's:
// it is neither bound nor kept from giving fewer threads than asked for.
std::vector<TakenTurn> take_turns(int threads, std::int64_t steps) {
  std::vector<TakenTurn> turns;
  std::optional<SpinBarrier> barrier;
#pragma omp parallel num_threads(threads)
  {
#pragma omp single
    {
      turns.resize(static_cast<std::size_t>(omp_get_num_threads()));
      barrier.emplace(omp_get_num_threads());
    }
    TakenTurn turn;
    barrier->wait();
    turn.start = now();
    turn.seen = compute_and_look(steps);
    turn.end = now();
    turn.mask = affinity_mask().value_or(CpuList{});
    turns[static_cast<std::size_t>(omp_get_thread_num())] = std::move(turn);
  }
  return turns;
}

double wall_seconds(const std::vector<TakenTurn>& turns) {
  const auto first =
      std::min_element(turns.begin(), turns.end(),
                       [](const TakenTurn& a, const TakenTurn& b) { return a.start < b.start; });
  const auto last =
      std::max_element(turns.begin(), turns.end(),
                       [](const TakenTurn& a, const TakenTurn& b) { return a.end < b.end; });
  return seconds_between(first->start, last->end);
}

// Keeps the shortest time, and every CPU that was seen.
void add_round(const std::vector<TakenTurn>& turns, double alone, BindingProof& proof) {
  const bool is_first = proof.threads.empty();
  proof.serial_seconds = is_first ? alone : std::min(proof.serial_seconds, alone);
  const double together = wall_seconds(turns);
  proof.parallel_seconds = is_first ? together : std::min(proof.parallel_seconds, together);
  proof.threads.resize(turns.size());
  for (std::size_t thread = 0; thread < turns.size(); ++thread) {
    ThreadTrace& trace = proof.threads[thread];
    trace.mask = union_of(trace.mask, turns[thread].mask);
    trace.seen = union_of(trace.seen, turns[thread].seen);
  }
}

}  // namespace

int threads_to_ask(const Machine& machine, int runtime_threads, bool is_set) {
  std::set<int> cores;
  for (const HardwareThread& thread : machine.allowed) {
    cores.insert(thread.core);
  }
  const int wanted = is_set ? runtime_threads : static_cast<int>(cores.size());
  const int least = std::min(2, machine.cores);
  const int most = kMostThreadsACpu * std::max(1, machine.hardware_threads);
  return std::clamp(wanted, std::max(1, least), std::max(2, most));
}

Result<BindingProof> prove_binding(const Machine& machine, double seconds) {
  BindingProof proof;
  proof.inherited = affinity_mask_at_start();
  proof.obtainable = obtainable_cpus();
  proof.runtime_threads = omp_get_max_threads();
  const bool is_set = std::getenv("OMP_NUM_THREADS") != nullptr;
  proof.asked_threads = threads_to_ask(machine, proof.runtime_threads, is_set);
  STREAMGAGE_TRY(try_runtime_threads(proof.asked_threads));
  const auto throttled_before = throttled_seconds();
  const std::int64_t steps = steps_for(seconds);
  for (int round = 0; round < kRounds; ++round) {
    const double alone = time_alone(steps);
    add_round(take_turns(proof.asked_threads, steps), alone, proof);
  }
  if (throttled_before) {
    proof.throttled_seconds = throttled_seconds().value_or(*throttled_before) - *throttled_before;
  }
  if (machine.unknown.contains("cpu_quota")) {
    proof.cpu_time = try_cpu_time(machine, kTrialPerWork * seconds);
  }
  for (const ThreadTrace& trace : proof.threads) {
    if (trace.mask.empty()) {
      return failure("the kernel does not report the affinity mask of a thread");
    }
  }
  return proof;
}

Json to_record(const BindingProof& proof) {
  const auto as_text = [](const std::optional<CpuList>& cpus) {
    return cpus ? std::optional(format_cpu_list(*cpus)) : std::nullopt;
  };
  record::Binding binding{.inherited_cpus = as_text(proof.inherited),
                          .obtainable_cpus = as_text(proof.obtainable),
                          .runtime_threads = proof.runtime_threads,
                          .asked_threads = proof.asked_threads,
                          .threads = {},
                          .serial_seconds = proof.serial_seconds,
                          .parallel_seconds = proof.parallel_seconds,
                          .throttled_seconds = proof.throttled_seconds};
  for (const ThreadTrace& trace : proof.threads) {
    binding.threads.push_back(
        {.mask = format_cpu_list(trace.mask), .cpus_seen = format_cpu_list(trace.seen)});
  }
  if (proof.cpu_time) {
    binding.cpu_time = record_of(*proof.cpu_time);
  }
  return to_json(binding);
}

}  // namespace streamgage::engine
