#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "streamgage/c/guard.hpp"
#include "streamgage/c/handles.hpp"
#include "streamgage/statistics/summary.hpp"

using streamgage::Result;
using streamgage::StoppedBy;

namespace {

streamgage_stop as_stop(std::optional<StoppedBy> stopped) {
  if (!stopped) {
    return STREAMGAGE_GO_ON;
  }
  switch (*stopped) {
    case StoppedBy::kConverged:
      return STREAMGAGE_CONVERGED;
    case StoppedBy::kMaxSamples:
      return STREAMGAGE_MAX_SAMPLES;
    case StoppedBy::kBudget:
      break;
  }
  return STREAMGAGE_BUDGET;
}

}  // namespace

streamgage_sampling streamgage_default_sampling() {
  const streamgage::Sampling sampling;
  return {sampling.min_samples, sampling.look_every, sampling.max_samples, sampling.budget_seconds};
}

streamgage_sampler* streamgage_sampler_create(const streamgage_sampling* sampling,
                                              streamgage_error* error) {
  return streamgage::guarded<
      streamgage_sampler*>(error, nullptr, [&]() -> Result<streamgage_sampler*> {
    streamgage::Sampling chosen;
    if (sampling != nullptr) {
      const auto& [least, every, most, budget] = *sampling;
      if (least < 1 || every < 1 || most < least || !(budget >= 0.0)) {
        return streamgage::usage_error(
            "min_samples and look_every must be at least 1, max_samples at least min_samples, and "
            "budget_seconds not below 0");
      }
      chosen = {least, every, most, budget};
    }
    return new streamgage_sampler{streamgage::Sampler(chosen)};
  });
}

void streamgage_sampler_free(streamgage_sampler* sampler) { delete sampler; }

streamgage_stop streamgage_sampler_add(streamgage_sampler* sampler, double seconds) {
  return streamgage::guarded(nullptr, STREAMGAGE_BUDGET, [&]() -> Result<streamgage_stop> {
    STREAMGAGE_TRY(streamgage::require(sampler));
    if (!std::isfinite(seconds) || seconds < 0.0) {
      return streamgage::usage_error("a time must be a number that is not below 0");
    }
    return as_stop(sampler->sampler.add(seconds));
  });
}

size_t streamgage_sampler_samples(const streamgage_sampler* sampler, double* seconds, size_t most) {
  return sampler == nullptr ? 0 : streamgage::copy_out(sampler->sampler.samples(), seconds, most);
}

streamgage_status streamgage_summarize(const double* values, size_t count, double confidence,
                                       streamgage_summary* summary, streamgage_error* error) {
  return streamgage::guarded_status(error, [&]() -> Result<void> {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    STREAMGAGE_TRY(streamgage::require(summary));
    if (!(confidence >= 0.0 && confidence < 1.0)) {
      return streamgage::usage_error("a confidence must be at least 0 and less than 1");
    }
    const auto all =
        values == nullptr ? std::vector<double>{} : std::vector<double>(values, values + count);
    if (!std::all_of(all.begin(), all.end(), [](double each) { return std::isfinite(each); })) {
      return streamgage::usage_error("a value is not a finite number");
    }
    const streamgage::Summary found = streamgage::summarize(all, confidence);
    const streamgage::Interval interval =
        found.interval.value_or(streamgage::Interval{kNone, kNone});
    *summary = {found.count,     found.median,  interval.low, interval.high,
                found.deviation, found.minimum, found.maximum};
    return {};
  });
}
