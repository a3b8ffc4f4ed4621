#include "measure/course.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "measure/expectation.hpp"
#include "streamgage/statistics/stopping_rule.hpp"
#include "streamgage/statistics/summary.hpp"

namespace streamgage::engine {
namespace {

constexpr double kLeastSampleSeconds = 1e-3;
// Whole passes that tell how much longer they take than their quiet time.
constexpr std::size_t kFewestWhole = 5;
constexpr std::size_t kHopelessSamples = 40;

}  // namespace

std::optional<std::int64_t> more_passes(std::int64_t passes, double seconds) {
  if (seconds >= kLeastSampleSeconds || passes >= Expectation::kMostPasses) {
    return std::nullopt;
  }
  // Some more than enough; at most 64 times as many, because a short run says little of a long
  // one.
  const double wanted = 1.25 * kLeastSampleSeconds / std::max(seconds, 1e-9);
  const auto more =
      std::clamp(static_cast<std::int64_t>(std::ceil(wanted)), std::int64_t{2}, std::int64_t{64});
  return std::min(passes * more | 1, Expectation::kMostPasses);
}

bool take_sample(Course& course, double seconds) {
  const bool is_settled = !course.samples.timed().empty();
  if (const auto more = is_settled ? std::nullopt : more_passes(course.passes, seconds)) {
    course.passes = *more;
    course.samples.restart_warmup();
    return false;
  }
  return course.samples.add(seconds);
}

bool is_paused(const Variant& variant, const Timing& timing) {
  return timing.paused_seconds > 0.0 && !variant.own;
}

std::optional<double> whole_over_quiet(const Course& course, const std::vector<Course>& courses) {
  if (course.whole_over_quiet.size() >= kFewestWhole) {
    return median(course.whole_over_quiet);
  }
  std::vector<double> of_all;
  for (const Course& each : courses) {
    of_all.insert(of_all.end(), each.whole_over_quiet.begin(), each.whole_over_quiet.end());
  }
  return of_all.size() >= kFewestWhole ? std::optional(median(of_all)) : std::nullopt;
}

TakenSample take_timing(Course& course, const Timing& timing, const std::vector<ThreadWalk>& walks,
                        const std::vector<Course>& courses) {
  if (is_paused(course.variant, timing)) {
    return {Role::kPaused, {timing.seconds / static_cast<double>(course.passes)}};
  }
  TakenSample taken{Role::kDisturbed, pass_time(timing, walks, course.passes)};
  PassTime& pass = taken.pass;
  if (!pass.seconds) {
    course.disturbed.push_back(timing.seconds / static_cast<double>(course.passes));
    return taken;
  }
  if (!pass.is_whole) {
    *pass.seconds *= whole_over_quiet(course, courses).value_or(1.0);
  } else if (pass.is_whole && pass.quiet.elements > 0.0) {
    course.whole_over_quiet.push_back(*pass.seconds * pass.quiet.elements /
                                      (pass.quiet.seconds * elements_a_pass(walks, course.passes)));
  }
  const double seconds = *pass.seconds * static_cast<double>(course.passes);
  taken.role = take_sample(course, seconds) ? Role::kTimed : Role::kWarmup;
  return taken;
}

std::size_t fewest_samples(const std::vector<Course>& courses,
                           const std::vector<std::size_t>& numbers) {
  std::optional<std::size_t> fewest;
  for (const std::size_t number : numbers) {
    const Course& course = courses[number];
    if (!course.is_left_out && !is_hopeless(course)) {
      const std::size_t n = course.samples.timed().size();
      fewest = std::min(fewest.value_or(n), n);
    }
  }
  return fewest.value_or(0);
}

bool is_hopeless(const Course& course) {
  return course.samples.timed().empty() && course.disturbed.size() >= kHopelessSamples;
}

bool all_have_converged(const std::vector<Course>& courses,
                        const std::vector<std::size_t>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [&](std::size_t number) {
    const Course& course = courses[number];
    return course.is_left_out || is_hopeless(course) ||
           course.variant.purpose == Purpose::kEvidence || has_converged(course.samples.timed());
  });
}

std::optional<double> seconds_of_a_pass(const Course& course) {
  const Samples& samples = course.samples;
  std::vector<double> seconds = samples.timed().empty() ? samples.warmups() : samples.timed();
  if (seconds.empty()) {
    return course.disturbed.empty() ? std::nullopt : std::optional(median(course.disturbed));
  }
  return median(seconds) / static_cast<double>(course.passes);
}

Check with_arrays(const Variant& variant, const Check& own, const std::vector<Check>& arrays) {
  if (own.wrong != 0) {
    return own;
  }
  for (std::size_t number = 1; number < arrays.size(); ++number) {
    if (arrays[number].wrong != 0 && uses_array(*variant.kernel, static_cast<int>(number))) {
      return arrays[number];
    }
  }
  return own;
}

record::Sample sample_record(const SampleName& name, const Timing& timing, const PassTime& pass) {
  record::Sample sample{.variant = name.variant,
                        .block = name.block,
                        .epoch = name.epoch,
                        .role = name.role,
                        .at_seconds = name.at_seconds,
                        .seconds = timing.seconds,
                        .pass_seconds = pass.seconds,
                        .passes = name.passes,
                        .cpus = timing.cpus_start,
                        .cpus_end = timing.cpus_end == timing.cpus_start
                                        ? std::nullopt
                                        : std::optional(timing.cpus_end),
                        .moved = timing.moved,
                        .switches = timing.switches,
                        .paused_seconds = name.role == Role::kPaused ? timing.paused_seconds : 0.0};
  if (pass.quiet.windows > 0) {
    sample.quiet = record::QuietTime{.windows = pass.quiet.windows,
                                     .quiet_windows = pass.quiet.quiet_windows,
                                     .nanoseconds = {},
                                     .elements = {}};
    for (const QuietStretch& stretch : pass.quiet.stretches) {
      sample.quiet->nanoseconds.push_back(
          static_cast<std::uint64_t>(std::llround(stretch.seconds * 1e9)));
      sample.quiet->elements.push_back(static_cast<std::uint64_t>(std::llround(stretch.elements)));
    }
  }
  return sample;
}

Json validation_record(const Course& course, const Check& check) {
  record::Validation validation{.variant = course.variant.id,
                                .valid = course.valid,
                                .checked = check.checked,
                                .wrong = check.wrong,
                                .first_wrong = check.first_wrong,
                                .expected = std::nullopt,
                                .found = std::nullopt,
                                .spot_failures = course.spot_failures};
  if (check.wrong != 0 && !course.variant.own) {
    validation.expected = check.expected;
    validation.found = fmt::format("{}", check.found);
  }
  return to_json(validation);
}

}  // namespace streamgage::engine
