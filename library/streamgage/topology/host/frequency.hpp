// Reads the limit on the processor's clock frequency from the kernel and the firmware.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "streamgage/topology/fact.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns the limit of the most limited CPUs. Nothing if the kernel does not control the clock, as
// in guests.
Fact<std::optional<Frequency>> find_frequency(const FileRoots& roots);

}  // namespace streamgage
