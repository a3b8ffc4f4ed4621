#include "streamgage/counters/calibration.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace streamgage {
namespace {

constexpr double kTolerance = 0.03;
constexpr double kGigabyte = 1e9;

struct Compared {
  const char* what;
  double seen;
  double expected;
};

std::vector<Compared> comparisons(const CalibrationRun& run, const Volume& seen) {
  if (!seen.read || !seen.written) {
    return {{"traffic", seen.total, run.expected_read + run.expected_written}};
  }
  return {{"reads", *seen.read, run.expected_read},
          {"writes", *seen.written, run.expected_written}};
}

// Of the direction that is farthest off. Shares are of the kernel's whole traffic, so that a
// direction in which nothing is expected can be compared too.
Compared farthest_off(const CalibrationRun& run, const Volume& seen) {
  const auto all = comparisons(run, seen);
  return *std::max_element(all.begin(), all.end(), [](const Compared& a, const Compared& b) {
    return std::abs(a.seen - a.expected) < std::abs(b.seen - b.expected);
  });
}

double deviation_of(const Compared& compared, const CalibrationRun& run) {
  return (compared.seen - compared.expected) / (run.expected_read + run.expected_written);
}

std::string explain_deviation(const Compared& compared, const CalibrationRun& run) {
  return fmt::format(
      "{} of {} are {:.3f} GB instead of {:.3f} GB; the difference is {:+.1f} % of its traffic, "
      "and {:.0f} % are allowed",
      compared.what, run.kernel, compared.seen / kGigabyte, compared.expected / kGigabyte,
      100.0 * deviation_of(compared, run), 100.0 * kTolerance);
}

bool is_always_zero(std::span<const CalibrationRun> runs) {
  return std::all_of(runs.begin(), runs.end(),
                     [](const CalibrationRun& run) { return run.seen.total == 0.0; });
}

bool is_complete(const CalibrationRun& run) {
  return run.seconds > 0.0 && run.expected_read + run.expected_written > 0.0;
}

// The first thing that is wrong with a run; empty where nothing is.
std::string objection(const CalibrationRun& run, const Volume& seen, std::optional<double> peak) {
  const double rate = seen.total / run.seconds;
  if (peak && rate > *peak) {
    return fmt::format("{} shows {:.1f} GB/s, above the theoretical peak of {:.1f} GB/s",
                       run.kernel, rate / kGigabyte, *peak / kGigabyte);
  }
  for (const Compared& compared : comparisons(run, seen)) {
    if (!(std::abs(deviation_of(compared, run)) <= kTolerance)) {  // NaN is refused
      return explain_deviation(compared, run);
    }
  }
  return {};
}

}  // namespace

IdleTraffic idle_traffic(const Volume& volume, double seconds) {
  const auto rate = [&](const std::optional<double>& bytes) {
    return bytes ? std::optional(*bytes / seconds) : std::nullopt;
  };
  return {rate(volume.read), rate(volume.written), volume.total / seconds};
}

Volume without_idle(const Volume& volume, double seconds, const IdleTraffic& idle) {
  const auto rest = [&](const std::optional<double>& bytes, const std::optional<double>& rate) {
    return bytes ? std::optional(*bytes - rate.value_or(0.0) * seconds) : std::nullopt;
  };
  return {rest(volume.read, idle.read), rest(volume.written, idle.written),
          volume.total - idle.total * seconds};
}

double deviation_of(const CalibrationRun& run, const IdleTraffic& idle) {
  return deviation_of(farthest_off(run, without_idle(run.seen, run.seconds, idle)), run);
}

bool is_as_expected(const CalibrationRun& run, const IdleTraffic& idle) {
  return std::abs(deviation_of(run, idle)) <= kTolerance;
}

Calibration calibrate(std::span<const CalibrationRun> runs, const IdleTraffic& idle,
                      std::optional<double> peak) {
  Calibration calibration;
  calibration.idle = idle;
  if (runs.empty() || !std::all_of(runs.begin(), runs.end(), is_complete)) {
    calibration.reason = "no kernel with known traffic ran to compare it with";
    return calibration;
  }
  if (is_always_zero(runs)) {
    calibration.reason = "it shows no traffic at all, whatever runs";
  }
  for (const CalibrationRun& run : runs) {
    const Volume seen = without_idle(run.seen, run.seconds, idle);
    calibration.outcomes.push_back({run.kernel, seen, deviation_of(farthest_off(run, seen), run)});
    if (calibration.reason.empty()) {
      calibration.reason = objection(run, seen, peak);
    }
  }
  calibration.is_accepted = calibration.reason.empty();
  return calibration;
}

}  // namespace streamgage
