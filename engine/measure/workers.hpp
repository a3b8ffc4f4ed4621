// The workers that run the kernels for the measuring loop: the threads of this process, or MPI
// ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/json_lines.hpp"
#include "kernels/variant.hpp"
#include "measure/ending.hpp"
#include "measure/memory_record.hpp"
#include "measure/outside_load.hpp"
#include "measure/workload.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {

// One timed run of a variant by all workers.
struct Sample {
  Timing timing;
  std::vector<double> rank_seconds = {};  // each rank's own; empty without ranks
  std::vector<ThreadWalk> walks = {};     // of all threads of all ranks; see RunOutcome
};

struct SampleOutcome {
  Sample sample;
  bool spot_check_passed = true;
  std::optional<KernelFailure> failure = std::nullopt;  // of an own kernel
};

struct CheckedSample {
  Sample sample;
  Check check;
};

// The interface of the workers. An error means that they cannot go on; it ends the run.
class Workers {
 public:
  Workers() = default;
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  Workers(Workers&&) = delete;
  Workers& operator=(Workers&&) = delete;
  virtual ~Workers() = default;

  [[nodiscard]] virtual int threads() const = 0;
  [[nodiscard]] virtual Json placement_record() const = 0;

  // Returns the present number of arrays of the catalogue's kernels.
  [[nodiscard]] virtual int arrays() const = 0;
  // Touches the arrays for the first time.
  virtual Result<PageSurvey> touch() = 0;
  // Replaces the arrays by that many others, and touches these.
  virtual Result<PageSurvey> renew(int arrays) = 0;

  // These work as the functions of the same names in Workload.
  virtual Result<SampleOutcome> run(const Variant& variant, std::int64_t passes) = 0;
  virtual Result<Check> check_array(int number) = 0;
  virtual Result<CheckedSample> run_and_check(const Variant& variant) = 0;

  // Starts to watch what else goes on; see OutsideLoad.
  virtual Result<void> watch() = 0;
  virtual Result<std::optional<Disturbance>> since_last(int block, double least_seconds) = 0;

  // Steps in which the workers measure something in addition, to explain the samples; by default
  // nothing. Each of them may write records and end the run.
  virtual Step before_touch() { return {}; }
  // The last step that may change which variants are measured.
  virtual Step before_variants() { return {}; }
  // Called after each sample that counts.
  virtual Step after_sample(const Variant& /*variant*/, std::int64_t /*passes*/) { return {}; }
  // Called before each tier, and may add variants to it.
  virtual Step before_tier(int /*tier*/, double /*seconds_left*/) { return {}; }
  // Called after each tier. It may free arrays, which the loop then replaces.
  virtual Step after_tier(int /*tier*/) { return {}; }
  virtual Step after_blocks() { return {}; }
};

}  // namespace streamgage::engine
