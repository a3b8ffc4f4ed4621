// Explains why the kernel did not open a counter, and what would change that.
#pragma once

#include <optional>
#include <string>
#include <system_error>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

struct OpenFailure {
  std::string reason;
  std::string remedy;
};

// Returns kernel.perf_event_paranoid. Nothing if the kernel has no performance events.
std::optional<int> read_paranoid_level(const FileRoots& roots);

OpenFailure explain_open_failure(std::error_code error, std::optional<int> paranoid_level);

}  // namespace streamgage
