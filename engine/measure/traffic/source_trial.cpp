#include "measure/traffic/source_trial.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/json_lines.hpp"
#include "contract/course.hpp"
#include "kernels/choose_variants.hpp"
#include "measure/expectation.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

// Stores must not depend on alpha, which is what is to be found; nor on what a streaming store does
// to a line that was read.
bool has_known_traffic(const Variant& variant) {
  return variant.kernel->write_allocates() == (variant.store == StoreMode::kStreaming);
}

// The highest number of an array that it is given; see uses_array().
int arrays_of(const Variant& variant) { return variant.kernel->reduces() ? 2 : 1; }

std::int64_t passes_for(double least_seconds, double seconds_of_one) {
  const double wanted = 1.25 * least_seconds / std::max(seconds_of_one, 1e-9);
  return std::clamp(static_cast<std::int64_t>(std::ceil(wanted)) | 1, std::int64_t{1},
                    Expectation::kMostPasses);
}

// Runs of a kernel; the first is not as expected.
constexpr std::size_t kTrials = 3;

// What the source saw of one kernel, with how the kernel's formula would have it.
Result<CalibrationRun> count_kernel(TrafficSource& source, const TrialRequest& request,
                                    const Variant& variant, const RunKernel& run) {
  const std::int64_t passes = passes_for(request.least_seconds, run(variant, 1));
  const Reading before = source.read();
  run(variant, passes);
  const Traffic traffic = traffic_between(source.counters(), before, source.read());
  STREAMGAGE_TRY(const auto volume, whole_volume(traffic));
  const double swept = static_cast<double>(request.array_bytes) * static_cast<double>(passes);
  return CalibrationRun{std::string(variant.kernel->name),
                        swept * variant.kernel->loads(),
                        swept * variant.kernel->store_count(),
                        traffic.seconds,
                        volume,
                        variant.kernel->stores ? std::string(name_of(variant.store)) : ""};
}

// The first run where it is as expected, else the median one of three: what another program moved
// in a moment of one run says nothing of the source. One that is off is off in all of them.
Result<CalibrationRun> try_kernel(TrafficSource& source, const TrialRequest& request,
                                  const Variant& variant, const RunKernel& run,
                                  const IdleTraffic& idle) {
  std::vector<CalibrationRun> trials;
  while (trials.size() < kTrials) {
    auto counted = count_kernel(source, request, variant, run);
    if (!counted || request.is_replayed || (trials.empty() && is_as_expected(*counted, idle))) {
      return counted;
    }
    trials.push_back(std::move(*counted));
  }
  std::sort(trials.begin(), trials.end(), [&](const auto& one, const auto& other) {
    return deviation_of(one, idle) < deviation_of(other, idle);
  });
  return std::move(trials[kTrials / 2]);
}

record::CalibratedKernel record_of(const CalibrationRun& run, const CalibrationOutcome& outcome) {
  return {.kernel = run.kernel,
          .store = run.store.empty() ? std::nullopt : std::optional(run.store),
          .seconds = run.seconds,
          .expected_read = run.expected_read,
          .expected_written = run.expected_written,
          .read = outcome.seen.read,
          .written = outcome.seen.written,
          .total = outcome.seen.total,
          .deviation = outcome.deviation};
}

SourceTrial rejected(SourceTrial trial, std::string reason) {
  trial.calibration.is_accepted = false;
  trial.calibration.reason = std::move(reason);
  return trial;
}

}  // namespace

std::vector<Variant> variants_of_known_traffic(const Plan& plan, int arrays) {
  Plan known;
  known.kernels = {"sum", "update", "init"};
  known.stores = {{"regular", "streaming"}};
  known.type = plan.type;
  std::vector<Variant> variants;
  if (auto choice = choose_variants(known)) {
    std::copy_if(choice->variants.begin(), choice->variants.end(), std::back_inserter(variants),
                 [arrays](const Variant& variant) {
                   return has_known_traffic(variant) && arrays_of(variant) <= arrays;
                 });
  }
  return variants;
}

SourceTrial untried(const TrafficSource& source, bool is_replayed, std::string reason) {
  SourceTrial trial;
  trial.source = source.name();
  trial.is_replayed = is_replayed;
  return rejected(std::move(trial), std::move(reason));
}

SourceTrial try_source(TrafficSource& source, const TrialRequest& request, const RunKernel& run) {
  SourceTrial trial = untried(source, request.is_replayed, "");
  const Reading before = source.read();
  std::this_thread::sleep_for(std::chrono::duration<double>(request.idle_seconds));
  const Traffic idle = traffic_between(source.counters(), before, source.read());
  const auto idle_volume = whole_volume(idle);
  if (!idle_volume) {
    return rejected(std::move(trial), idle_volume.error().message);
  }
  trial.idle_seconds = idle.seconds;
  const IdleTraffic at_rest = idle_traffic(*idle_volume, idle.seconds);
  for (const Variant& variant : request.variants) {
    auto counted = try_kernel(source, request, variant, run, at_rest);
    if (!counted) {
      return rejected(std::move(trial), counted.error().message);
    }
    trial.runs.push_back(std::move(*counted));
  }
  trial.calibration = calibrate(trial.runs, at_rest, request.peak);
  trial.baseline = IdleBaseline(idle);
  return trial;
}

nlohmann::ordered_json to_record(const SourceTrial& trial) {
  const Calibration& calibration = trial.calibration;
  record::Calibration written{
      .source = trial.source,
      .replayed = trial.is_replayed,
      .accepted = calibration.is_accepted,
      .reason = calibration.is_accepted ? std::nullopt : std::optional(calibration.reason),
      .idle_seconds = trial.idle_seconds,
      .idle_read = calibration.idle.read,
      .idle_written = calibration.idle.written,
      .idle_total = trial.idle_seconds > 0.0 ? std::optional(calibration.idle.total) : std::nullopt,
      .runs = {}};
  for (std::size_t i = 0; i < calibration.outcomes.size(); ++i) {
    written.runs.push_back(record_of(trial.runs[i], calibration.outcomes[i]));
  }
  return to_json(written);
}

}  // namespace streamgage::engine
