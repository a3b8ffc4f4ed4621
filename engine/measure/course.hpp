// The course of one variant through a run: its samples, how long they are, and their records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/json_lines.hpp"
#include "kernels/variant.hpp"
#include "measure/tiers.hpp"
#include "measure/workload.hpp"
#include "streamgage/statistics/samples.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {

// kPaused: one that a pause of the process hit, so that its seconds mean nothing.
enum class Role { kWarmup, kTimed, kPaused, kValidation };

// What is known of a variant while it is measured.
struct Course {
  Variant variant;
  std::int64_t passes = 1;  // of a sample; odd
  Samples samples = {};
  std::int64_t spot_failures = 0;
  std::optional<bool> valid = std::nullopt;
  bool is_left_out = false;  // an own kernel that has failed; nothing more is run of it
  TierPlace place = {};
  bool is_taken = true;  // false: there was no time for it
};

// The passes, an odd number, that the next sample needs where one of that many passes took that
// time and was too short, as it is in the caches; nothing where it was long enough or has as many
// as keep every result exact.
std::optional<std::int64_t> more_passes(std::int64_t passes, double seconds);

// Adds a sample to the course and says whether it counts: not where it is a warm-up, or where it
// was too short, so that the next one has more passes.
bool take_sample(Course& course, double seconds);

// The same of a timed call, and what it is: one that a pause hit is not added. A user's own kernel
// may wait by itself, which is no pause.
Role take_timing(Course& course, const Timing& timing);

// Whether a pause hit a timed call of that variant.
bool is_paused(const Variant& variant, const Timing& timing);

// Timed samples of the variant that has the fewest of the numbered ones that are not left out;
// there must be one.
std::size_t fewest_samples(const std::vector<Course>& courses,
                           const std::vector<std::size_t>& numbers);

// Whether nothing is gained by more samples of these; evidence is not waited for.
bool all_have_converged(const std::vector<Course>& courses,
                        const std::vector<std::size_t>& numbers);

// Seconds of a pass, by the samples so far, else by the warm-ups; nothing before the first run.
std::optional<double> seconds_of_a_pass(const Course& course);

// The variant's own check, or that of an array which no kernel may write and this one reads, where
// that one has changed. `arrays`: by number; a's is not looked at.
Check with_arrays(const Variant& variant, const Check& own, const std::vector<Check>& arrays);

// Which of the samples it was.
struct SampleName {
  int variant = 0;
  int block = 0;
  int epoch = 0;
  Role role = Role::kWarmup;
  std::int64_t passes = 1;
};

Json sample_record(const SampleName& name, const Timing& timing);
Json validation_record(const Course& course, const Check& check);

}  // namespace streamgage::engine
