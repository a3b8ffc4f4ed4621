#include "measure/course.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "measure/expectation.hpp"

namespace streamgage {
namespace {

constexpr double kLeastSampleSeconds = 1e-3;

const char* name_of(Role role) {
  switch (role) {
    case Role::kWarmup:
      return "warmup";
    case Role::kTimed:
      return "timed";
    case Role::kValidation:
      break;
  }
  return "validation";
}

}  // namespace

std::optional<std::int64_t> more_passes(std::int64_t passes, double seconds) {
  if (seconds >= kLeastSampleSeconds || passes >= Expectation::kMostPasses) {
    return std::nullopt;
  }
  // Some more than enough; at most 64 times as many, because a short run tells little of a long
  // one.
  const double wanted = 1.25 * kLeastSampleSeconds / std::max(seconds, 1e-9);
  const auto more =
      std::clamp(static_cast<std::int64_t>(std::ceil(wanted)), std::int64_t{2}, std::int64_t{64});
  return std::min(passes * more | 1, Expectation::kMostPasses);
}

Json sample_record(const SampleName& name, const Timing& timing) {
  return {
      {"record", "sample"},
      {"variant", name.variant},
      {"block", name.block},
      {"epoch", name.epoch},
      {"role", name_of(name.role)},
      {"passes", name.passes},
      {"seconds", timing.seconds},
      {"cpus", timing.cpus_start},
      {"cpus_end", timing.cpus_end == timing.cpus_start ? Json(nullptr) : Json(timing.cpus_end)},
      {"moved", timing.moved},
      {"switches", timing.switches}};
}

Json validation_record(const Course& course, const Check& check) {
  const bool wrong = check.wrong != 0;
  return {{"record", "validation"},
          {"variant", course.variant.id},
          {"valid", or_null(course.valid)},
          {"checked", check.checked},
          {"wrong", check.wrong},
          {"first_wrong", or_null(check.first_wrong)},
          {"expected", wrong ? Json(check.expected) : Json(nullptr)},
          {"found", wrong ? Json(fmt::format("{}", check.found)) : Json(nullptr)},
          {"spot_failures", course.spot_failures}};
}

}  // namespace streamgage
