#include "program_mpi/ranks_options.hpp"

#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {
namespace {

constexpr double kLongestTimeout = 86400.0;
constexpr int kMostRanks = 1 << 20;

}  // namespace

tl::expected<RanksOptions, int> parse_ranks_options(int argc, char** argv, bool is_root) {
  CLI::App app(
      "Measures memory bandwidth with all ranks of an MPI job by a plan; rank 0 prints "
      "what is found as JSON Lines.",
      "streamgage-engine-mpi");
  RanksOptions options;
  app.add_option("--plan", options.plan_file,
                 "Read the plan (JSON) from FILE, or from the standard input of rank 0 (-)")
      ->type_name("FILE|-")
      ->required();
  app.add_option("--ranks", options.ranks, "Refuse to measure with another number of ranks than N")
      ->type_name("N")
      ->check(CLI::Range(1, kMostRanks));
  app.add_option("--timeout", options.timeout_seconds,
                 "End the run when a rank has not answered for so many seconds (60)")
      ->type_name("S")
      ->check(CLI::Range(1.0, kLongestTimeout));
  app.add_flag("--allow-oversubscribe", options.oversubscribe,
               "Allow more threads than CPUs: they take turns");
  app.add_flag_callback(
      "--no-wait", [&options] { options.wait = false; },
      "Do not wait for another measurement on one of the hosts to end: fail at once");
  app.set_version_flag("--version", "streamgage-engine-mpi " STREAMGAGE_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help and --version
    std::ostringstream text;
    const int status = app.exit(success, text, text);
    if (is_root) {
      fmt::print("{}", text.str());
    }
    return tl::unexpected(status);
  } catch (const CLI::ParseError& error) {
    if (is_root) {
      fmt::print(stderr, "streamgage-engine-mpi: {}; see streamgage-engine-mpi --help.\n",
                 error.what());
    }
    return tl::unexpected(static_cast<int>(ExitStatus::kUsage));
  }
  return options;
}

Result<void> compare_world(const RanksOptions& options, int size) {
  if (options.ranks.value_or(size) == size) {
    return {};
  }
  return usage_error(fmt::format(
      "{} ranks were asked for, but MPI made a world of {}: the launcher is not of the MPI that "
      "streamgage-engine-mpi was built with; name the launcher of that MPI with --launcher, or "
      "build streamgage again with the launcher's",
      *options.ranks, size));
}

}  // namespace streamgage::engine
