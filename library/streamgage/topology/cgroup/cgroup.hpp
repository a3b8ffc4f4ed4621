// What the control groups above this process (a container, a batch job, a login session) grant it.
// Both versions are read and the strictest counts, so that mixed layouts are right too.
#pragma once

#include <cstdint>
#include <optional>

#include "streamgage/topology/fact.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// CPUs' worth of time, the strictest quota from the own group up; nothing where there is no quota.
Fact<std::optional<double>> cpu_quota(const FileRoots& roots = {});

// Seconds for which the groups with a quota were stopped since they were made, summed over their
// CPUs; nothing where there is no quota, or none can be seen.
std::optional<double> throttled_seconds(const FileRoots& roots = {});

struct MemoryLimit {
  std::uint64_t bytes = 0;       // the strictest limit from the own group up
  std::uint64_t free_bytes = 0;  // the least that any limit leaves; file cache counts as free
};

// Nothing where memory is not limited.
Fact<std::optional<MemoryLimit>> memory_limit(const FileRoots& roots = {});

}  // namespace streamgage
