// Checks whether a node is as fast as expected: one line, which can be the reason of a drain, and
// an exit status.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/catalogue.hpp"
#include "kernels/store_mode.hpp"
#include "node/node_result.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// The rate that a kernel should reach, in bytes per second.
struct ExpectedRate {
  const Kernel* kernel = nullptr;
  StoreMode store = StoreMode::kPlain;
  double rate = 0.0;
  double tolerance = 0.0;  // the share of it that may be missing

  [[nodiscard]] double limit() const { return rate * (1.0 - tolerance); }
};

// Reads "triad=420GB/s" or "triad streaming=0.6TB/s,-5%"; anything else is an error.
Result<ExpectedRate> parse_expected_rate(std::string_view text);

// The length of a check in seconds: the time of each measurement, and the time by which it must
// end. Half a second of the limit is left to the program that starts the check.
struct CheckLength {
  double measured;
  double whole;
};

// The shorter one suits what Slurm and NHC run before each job: NHC gives a command 5 s.
constexpr CheckLength kGlance{1.2, 4.5};
constexpr CheckLength kFullCheck{6.0, 19.5};

enum class Verdict {
  kFine,        // no figure is below its limit
  kSlow,        // a figure is below its limit, and so is its interval
  kWrong,       // a result was wrong
  kUndecided,   // a figure is below its limit, and its interval reaches it
  kCannotTell,  // a figure is below its limit, and something disturbed the run
};

constexpr int kMostRunsOfCheck = 2;

// Returns the verdict on one run. Requires that the run has every expected figure.
Verdict judge(const NodeResult& result, const std::vector<ExpectedRate>& expected);

// Returns whether a second run should decide; it would take as long as the first. `spent`: seconds
// since the start of the check.
bool needs_second(Verdict first, double run_seconds, double spent, const CheckLength& length);

// Returns the verdict after all runs: that of the last. An undecided run is no reason to drain, and
// no proof that the node is fine.
Verdict settle(Verdict last);

int exit_status_of(Verdict verdict);
constexpr int kCouldNotCheck = 3;

// A longer line is useless as a reason: Slurm and its tools show fewer letters.
constexpr std::size_t kMostBytesOfReason = 200;

// "slow: triad 380 GB/s, expected at least 399 (420 - 5 %); measured twice": plain ASCII with its
// newline.
std::string format_verdict(Verdict verdict, const NodeResult& last,
                           const std::vector<ExpectedRate>& expected, int runs);

}  // namespace streamgage::engine
