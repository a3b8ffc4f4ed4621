// Reads what the control groups of this process (a container, a batch job, a login session) grant
// it. Both versions are read and the strictest limit counts, so mixed layouts are right, too.
#pragma once

#include <cstdint>
#include <optional>

#include "streamgage/topology/fact.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns the strictest CPU quota from the own group up, in CPUs. Nothing if there is no quota.
Fact<std::optional<double>> cpu_quota(const FileRoots& roots = {});

// Returns the seconds for which the groups with a quota have been stopped since they were made,
// summed over their CPUs. Nothing if there is no quota, or none can be seen.
std::optional<double> throttled_seconds(const FileRoots& roots = {});

struct MemoryLimit {
  std::uint64_t bytes = 0;       // the strictest limit from the own group up
  std::uint64_t free_bytes = 0;  // the least that any limit leaves; file cache counts as free
};

// Returns the limit. Nothing if memory is not limited.
Fact<std::optional<MemoryLimit>> memory_limit(const FileRoots& roots = {});

}  // namespace streamgage
