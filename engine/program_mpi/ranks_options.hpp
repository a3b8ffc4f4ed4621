// The command line of the engine for ranks.
#pragma once

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

struct RanksOptions {
  std::string plan_file;     // "-": the standard input of rank 0
  std::optional<int> ranks;  // that were started; none: as many as come
  double timeout_seconds = 60.0;
  bool oversubscribe = false;
  bool wait = true;  // while another measurement runs on one of the hosts
};

// Either options, or the exit status of a call that is done: --help, --version, or a mistake. Only
// the root speaks: all ranks were given the same.
tl::expected<RanksOptions, int> parse_ranks_options(int argc, char** argv, bool is_root);

// Whether as many ranks have met as were started. They have not where launcher and MPI do not go
// together: then each process is a world of its own, and its figures would be taken for all of
// them.
Result<void> compare_world(const RanksOptions& options, int size);

}  // namespace streamgage::engine
