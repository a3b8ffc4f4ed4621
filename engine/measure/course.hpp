// The course of one variant through a run: its samples, their number of passes, and their records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/json_lines.hpp"
#include "contract/course.hpp"
#include "kernels/variant.hpp"
#include "measure/pass_time.hpp"
#include "measure/tiers.hpp"
#include "measure/workload.hpp"
#include "streamgage/statistics/samples.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {

// The role of a run of a variant. kPaused: the process was paused meanwhile, so its seconds mean
// nothing. kDisturbed: its threads hardly ever had their CPUs at the same time.
using Role = record::SampleRole;

// The state of a variant while it is measured.
struct Course {
  Variant variant;
  std::int64_t passes = 1;  // of a sample; odd
  Samples samples = {};     // seconds of all passes of a sample, as pass_time() has them
  // Seconds of a pass in runs that were disturbed; they tell only how long a run takes.
  std::vector<double> disturbed = {};
  // Of whole passes, how many times as long as by their quiet time: threads that end early leave
  // the others to go on.
  std::vector<double> whole_over_quiet = {};
  std::int64_t spot_failures = 0;
  std::optional<bool> valid = std::nullopt;
  bool is_left_out = false;  // an own kernel that has failed; nothing more is run of it
  TierPlace place = {};
  bool is_taken = true;  // false: there was no time for it
};

// Returns how many passes, an odd number, the next sample needs if one of `passes` passes took
// `seconds` and was too short, as in the caches. Returns nothing if it was long enough, or if more
// passes would make results inexact.
std::optional<std::int64_t> more_passes(std::int64_t passes, double seconds);

// Adds a sample to the course and returns whether it counts. It does not count if it is a warm-up,
// or if it was too short: the next one then has more passes.
bool take_sample(Course& course, double seconds);

// A timed call and what it counts for.
struct TakenSample {
  Role role = Role::kWarmup;
  PassTime pass = {};
};

// Returns how many times as long a whole pass of the course takes as by its quiet time: from its
// own whole passes, else from those of all courses, which the same threads make. Nothing if both
// are few.
std::optional<double> whole_over_quiet(const Course& course, const std::vector<Course>& courses);

// Adds a timed call in the same way, unless a pause hit it or it was disturbed all the time, and
// returns what it is. A user's own kernel may wait by itself; that is not a pause. `courses` are
// all of the run.
TakenSample take_timing(Course& course, const Timing& timing, const std::vector<ThreadWalk>& walks,
                        const std::vector<Course>& courses = {});

// Returns whether a pause hit a timed call of that variant.
bool is_paused(const Variant& variant, const Timing& timing);

// Returns whether every sample of the variant was disturbed so often that none will do. It still
// gets its turns, but nothing waits for it.
bool is_hopeless(const Course& course);

// Returns the fewest timed samples of any of the numbered variants that is neither left out nor
// hopeless; 0 if there is none.
std::size_t fewest_samples(const std::vector<Course>& courses,
                           const std::vector<std::size_t>& numbers);

// Returns whether more samples of these variants would gain nothing; evidence is not waited for.
bool all_have_converged(const std::vector<Course>& courses,
                        const std::vector<std::size_t>& numbers);

// Returns the seconds of a pass, by the samples so far, else by the warm-ups; nothing before the
// first run.
std::optional<double> seconds_of_a_pass(const Course& course);

// Returns `own`, the variant's own check, unless an array that the variant reads and that no
// kernel may write has changed: then the check of that array. `arrays` has the checks by number;
// that of a is ignored.
Check with_arrays(const Variant& variant, const Check& own, const std::vector<Check>& arrays);

// Identifies a sample of a run.
struct SampleName {
  int variant = 0;
  int block = 0;
  int epoch = 0;
  Role role = Role::kWarmup;
  std::int64_t passes = 1;
  double at_seconds = 0.0;  // when it began, from the start of the run
};

record::Sample sample_record(const SampleName& name, const Timing& timing, const PassTime& pass);
Json validation_record(const Course& course, const Check& check);

}  // namespace streamgage::engine
