// The outcome of a run, for its caller.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/variant.hpp"
#include "measure/outside_load.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/memory/array_size.hpp"

namespace streamgage::engine {

// The outcome of one variant.
struct VariantOutcome {
  Variant variant;
  // Of one pass: timed samples, in the order of the blocks; without any, disturbed ones.
  std::vector<double> seconds;
  std::optional<bool> valid;  // nothing where the run ended before the check
  bool is_disturbed = false;  // no sample counts: the threads never had their CPUs together
};

// The time of samples, and the part of it that counts: that in which all threads had their CPUs.
struct MeasuredTime {
  double seconds = 0.0;
  double quiet_seconds = 0.0;
};

// The circumstances of a run: its CPUs, and disturbances by others. For callers that take no
// records.
struct Circumstances {
  int asked_threads = 0;
  CpuList cpus;        // that the threads could run on
  bool bound = false;  // each thread to one CPU
  int arrays = 0;
  ArraySize size;
  std::uint64_t last_level_cache_bytes = 0;
  Disturbance disturbance;  // of the whole run
  MeasuredTime measured = {};
};

struct Outcome {
  int exit_status = 0;
  std::optional<std::string> message;  // one sentence, where something failed
  std::vector<VariantOutcome> variants;
  int threads = 0;
  double seconds = 0.0;  // that the run took
  Circumstances circumstances;
};

}  // namespace streamgage::engine
