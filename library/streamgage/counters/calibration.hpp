// Checks whether a source's figures are right: it must see what kernels of known traffic move.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "streamgage/counters/source/traffic.hpp"

namespace streamgage {

// The traffic of an idle machine as the source sees it, in bytes per second.
struct IdleTraffic {
  std::optional<double> read;
  std::optional<double> written;
  double total = 0.0;
};

// Returns that volume per second.
IdleTraffic idle_traffic(const Volume& volume, double seconds);

// Returns a volume minus the idle machine's traffic in that time. It may fall below 0.
Volume without_idle(const Volume& volume, double seconds, const IdleTraffic& idle);

// One kernel of known traffic, over arrays that no cache holds: sum (reads only), update (reads as
// much as it writes), streaming init (writes only).
struct CalibrationRun {
  std::string kernel;
  double expected_read = 0.0;  // bytes
  double expected_written = 0.0;
  double seconds = 0.0;
  Volume seen;             // the idle machine's share included
  std::string store = {};  // its kind of store; empty where it stores nothing
};

// The result of one run.
struct CalibrationOutcome {
  std::string kernel;
  Volume seen;  // the idle machine's share subtracted
  double deviation =
      0.0;  // of the direction that is farthest off, of the expected total: 0.01 is 1 %
};

// The verdict on the source.
struct Calibration {
  bool is_accepted = false;
  std::string reason;  // why not
  IdleTraffic idle;
  std::vector<CalibrationOutcome> outcomes;
};

// Returns the error of a run in its worst direction, as a share of the expected total.
double deviation_of(const CalibrationRun& run, const IdleTraffic& idle);

// Returns whether that error is within the allowed 3 %.
bool is_as_expected(const CalibrationRun& run, const IdleTraffic& idle);

// Rejects a source that is more than 3 % off in any direction of any kernel, above the theoretical
// peak (bytes per second), or always zero. If it only reports totals, only these are compared.
Calibration calibrate(std::span<const CalibrationRun> runs, const IdleTraffic& idle,
                      std::optional<double> peak);

}  // namespace streamgage
