// Opens the MPI library of the launcher.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mpi/launch.hpp"
#include "mpi/mpi.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// The places where a library is searched.
struct MpiSearch {
  std::string named;  // by the user: nothing else is looked at; it may be of any family
  MpiFamily family = MpiFamily::kUnknown;
  std::vector<std::string> folders;  // of what was installed with the launcher; before
  std::vector<std::string> names;    // that the dynamic linker finds
};

// Returns where to search: what STREAMGAGE_MPI_LIBRARY names, otherwise the libraries that were
// installed with the launcher or, in a batch system, with the first MPI on the PATH.
MpiSearch search_by(const Launch& launch, const Variable& variable);

// Opens the library. It is an error if there is none, if it cannot be loaded, or if its binary
// interface is unknown.
Result<std::unique_ptr<Mpi>> open_mpi(const MpiSearch& search);

// Checks that as many ranks have met as were started: `requested`, or as many as the launcher says.
// If launcher and library do not belong together, each process is its own world, and its figures
// would be mistaken for those of all ranks.
Result<void> check_world(const Mpi& mpi, const Launch& launch, std::optional<int> requested);

}  // namespace streamgage::engine
