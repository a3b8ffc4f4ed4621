// The command line of the engine for ranks.
#pragma once

#include <string>

#include <tl/expected.hpp>

namespace streamgage {

struct RanksOptions {
  std::string plan_file;  // "-": the standard input of rank 0
  double timeout_seconds = 60.0;
  bool oversubscribe = false;
};

// Either options, or the exit status of a call that is done: --help, --version, or a mistake. Only
// the root speaks: all ranks were given the same.
tl::expected<RanksOptions, int> parse_ranks_options(int argc, char** argv, bool is_root);

}  // namespace streamgage
