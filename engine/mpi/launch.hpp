// Finds out how this rank was started: by which kind of launcher, from where, and with how many
// others.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace streamgage::engine {

// The families of MPI. Ranks find each other only by a library of their launcher's family.
enum class MpiFamily {
  kUnknown,  // a batch system, which starts ranks of any
  kOpenMpi,
  kMpich,
};

struct Launch {
  MpiFamily family = MpiFamily::kUnknown;
  std::optional<int> ranks;   // that were started
  std::optional<int> number;  // of this rank on its host, from 0
  std::string program;        // the launcher's on this host, with its path; empty where unknown
};

// The value of a variable of the environment, or nullptr.
using Variable = std::function<const char*(const char*)>;

// Finds it by the variables that launchers set, and by the processes above this one.
Launch find_launch(const Variable& variable, const std::string& proc = "/proc");

// Returns whether this rank reports what all ranks of its host have found.
bool speaks_for_its_host(const Launch& launch);

}  // namespace streamgage::engine
