// Shows where OpenMP threads run if this program does not bind them: what a launcher, a batch job
// or the OpenMP environment leaves to a program. It runs real work, because CPU time over wall time
// proves nothing: threads that wait in a loop use their CPU, too.
#pragma once

#include <optional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "environment/cpu_time_trial.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

struct ThreadTrace {
  CpuList mask;  // that it may run on
  CpuList seen;  // that it was on while it computed
};

struct BindingProof {
  std::optional<CpuList> inherited;   // the mask that this process was started with
  std::optional<CpuList> obtainable;  // what a thread gets that asks for every CPU
  int runtime_threads = 0;            // that OpenMP starts by itself
  int asked_threads = 0;              // that were asked of it here
  std::vector<ThreadTrace> threads;   // those that it gave
  // Wall time of the same work on one thread, and on all of them at once; the shortest of a few.
  double serial_seconds = 0.0;
  double parallel_seconds = 0.0;
  std::optional<double> throttled_seconds;  // meanwhile; nothing where there is no CPU quota
  std::optional<CpuTimeTrial> cpu_time;     // where it is not known whether there is a CPU quota
};

// Starts as many threads as OMP_NUM_THREADS says, otherwise one per usable core. On a machine with
// two or more cores it starts at least two, because one thread alone cannot show what it would
// share. Each does work of `seconds`.
Result<BindingProof> prove_binding(const Machine& machine, double seconds = 0.02);

// Returns the number of threads to start. `is_set`: whether OMP_NUM_THREADS is set.
int threads_to_ask(const Machine& machine, int runtime_threads, bool is_set);

nlohmann::ordered_json to_record(const BindingProof& proof);

}  // namespace streamgage::engine
