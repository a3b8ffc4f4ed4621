// At which clock a core runs, from a chain of additions that take one cycle each.
#pragma once

#include <optional>

namespace streamgage {

// Hertz of the calling thread's core while it is busy, the highest of some short trials: a thread
// that is interrupted loses time, and none is ever too quick. Nothing where it is unknown
// whether the processor adds two registers in a cycle, and where the clock's steps are too coarse
// for a trial of a third of a millisecond. Takes about 10 ms.
std::optional<double> measure_core_clock();

}  // namespace streamgage
