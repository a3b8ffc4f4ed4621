#include "measure/traffic/counting.hpp"

#include <utility>

#include "base/json_lines.hpp"
#include "measure/traffic/source_trial.hpp"
#include "records/counters_record.hpp"
#include "streamgage/base/units.hpp"

#include <fmt/format.h>

namespace streamgage::engine {
namespace {

TrialRequest trial_request(const Plan& plan, const Decision& decision, const Workload& workload,
                           bool is_replayed) {
  TrialRequest request;
  request.variants = variants_of_known_traffic(plan, workload.arrays());
  request.array_bytes = static_cast<std::uint64_t>(decision.size.elements) * size_of(plan.type);
  request.peak = plan.peak_bytes_per_second;
  request.is_replayed = is_replayed;
  if (is_replayed) {
    request.idle_seconds = 0.0;
    request.least_seconds = 0.0;
  }
  return request;
}

// What is in the caches does not cross the bus, so that no kernel's traffic is known. Counters that
// are played back have seen other arrays than these.
bool caches_hold_too_much(const Decision& decision) {
  return decision.size.bytes < decision.size.rule_bytes;
}

}  // namespace

nlohmann::ordered_json Counting::survey_record() const {
  return found_ ? to_record(found_->survey, found_->root) : Json(nullptr);
}

nlohmann::ordered_json Counting::calibrate(const Plan& plan, const Decision& decision,
                                           const Team& team, Workload& workload) {
  if (!found_ || !found_->survey.source) {
    return nullptr;
  }
  // Files in a folder are not this system's counters either.
  const bool is_replayed = found_->survey.is_replayed || found_->root;
  auto source = std::move(found_->survey.source);
  if (!is_replayed && caches_hold_too_much(decision)) {
    return to_record(untried(
        *source, is_replayed,
        fmt::format("the arrays have {} bytes, less than the {} of STREAM's rule: caches hold part "
                    "of them, so the traffic to compare the counters with is unknown",
                    decision.size.bytes, decision.size.rule_bytes)));
  }
  const auto run = [&](const Variant& variant, std::int64_t passes) {
    return workload.run(team, variant, passes).timing.seconds;
  };
  auto trial = try_source(*source, trial_request(plan, decision, workload, is_replayed), run);
  workload.restore(team);
  if (trial.calibration.is_accepted) {
    meter_.emplace(std::move(source), is_replayed, std::move(trial.baseline));
  }
  return to_record(trial);
}

RunOutcome Counting::run(const Team& team, Workload& workload, const Variant& variant,
                         std::int64_t passes) {
  if (!meter_) {
    return workload.run(team, variant, passes);
  }
  workload.make_ready(team, variant, passes);
  meter_->start();
  RunOutcome outcome = workload.run(team, variant, passes);
  meter_->stop();
  return outcome;
}

nlohmann::ordered_json Counting::take(const Variant& variant, int block, std::int64_t passes) {
  if (!meter_) {
    return nullptr;
  }
  const auto counted = meter_->take(variant.id, block, passes);
  if (!meter_->is_counting()) {
    meter_.reset();
  }
  return counted ? to_record(*counted) : Json(nullptr);
}

}  // namespace streamgage::engine
