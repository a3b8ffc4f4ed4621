// Checks whether a node is as fast as expected: one line, which can be the reason of a drain, and
// an exit status. The front judges by the same rule (streamgage/results/check/judge.py), and
// tests/integration/test_one_judge.py holds both against each other.
#pragma once

#include <string>

#include "contract/node.hpp"
#include "contract/verdict.hpp"

namespace streamgage::engine {

// The length of a check in seconds: the time of each measurement, and the time by which it must
// end. Half a second of the limit is left to the program that starts the check.
struct CheckLength {
  double measured;
  double whole;
};

// The shorter one suits what Slurm and NHC run before each job: NHC gives a command 5 s.
constexpr CheckLength kGlance{1.2, 4.5};
constexpr CheckLength kFullCheck{6.0, 19.5};

constexpr int kMostRunsOfCheck = 2;

// Returns the verdict on one run by what its line expects. It is slow only if the whole interval of
// a figure is below its limit.
RunVerdict judge(const record::NodeLine& run);

// Returns whether a second run should decide; it would take as long as the first. `spent`: seconds
// since the start of the check.
bool needs_second(RunVerdict first, double run_seconds, double spent, const CheckLength& length);

// Returns the verdict after all runs: that of the last. An undecided run is no reason to drain, and
// no proof that the node is fine.
Verdict settle(RunVerdict last);

// "slow: triad 380 GB/s, expected at least 399 (420 - 5 %); measured twice": plain ASCII with its
// newline.
std::string format_verdict(Verdict verdict, const record::NodeLine& last, int runs);

}  // namespace streamgage::engine
