// Whether a source's figures can be believed: it has to see what kernels of known traffic move.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "streamgage/counters/source/traffic.hpp"

namespace streamgage {

// Bytes per second of a machine that does nothing, as the source sees it.
struct IdleTraffic {
  std::optional<double> read;
  std::optional<double> written;
  double total = 0.0;
};

// What that volume is in a second.
IdleTraffic idle_traffic(const Volume& volume, double seconds);

// What is left of a volume without what the idle machine moves in that time. It may fall below 0.
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

// How one run came out.
struct CalibrationOutcome {
  std::string kernel;
  Volume seen;  // the idle machine's share subtracted
  double deviation =
      0.0;  // of the direction that is farthest off, of the expected total: 0.01 is 1 %
};

// Whether the source is accepted.
struct Calibration {
  bool is_accepted = false;
  std::string reason;  // why not
  IdleTraffic idle;
  std::vector<CalibrationOutcome> outcomes;
};

// How far off a run is in the direction that is farthest off, as a share of the expected total.
double deviation_of(const CalibrationRun& run, const IdleTraffic& idle);

// Whether that is within the 3 % that are allowed.
bool is_as_expected(const CalibrationRun& run, const IdleTraffic& idle);

// Rejects a source that is more than 3 % off in any direction of any kernel, above the theoretical
// peak (bytes per second), or always zero. Where it reports totals alone, they alone are compared.
Calibration calibrate(std::span<const CalibrationRun> runs, const IdleTraffic& idle,
                      std::optional<double> peak);

}  // namespace streamgage
