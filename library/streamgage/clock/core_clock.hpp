// The clock frequency of a core, from a chain of additions that take one cycle each.
#pragma once

#include <optional>

namespace streamgage {

// Returns the frequency, in hertz, of the calling thread's core while it is busy: the highest of
// some short trials, because an interrupted thread loses time and none is ever too quick. Returns
// nothing if it is unknown whether the processor adds two registers in a cycle, or if the clock is
// too coarse for a trial of a third of a millisecond. Takes about 10 ms.
std::optional<double> measure_core_clock();

}  // namespace streamgage
