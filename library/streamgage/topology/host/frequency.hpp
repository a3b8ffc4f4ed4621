// What the kernel and the firmware leave of the processor's clock frequency.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "streamgage/topology/fact.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Of the CPUs that are held back most; nothing where the kernel governs no frequency, as in guests.
Fact<std::optional<Frequency>> find_frequency(const FileRoots& roots);

}  // namespace streamgage
