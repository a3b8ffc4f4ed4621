// The engine's command line.
#pragma once

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "node/request.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// The commands: each call of the program carries out one.
enum class Command {
  kMeasureNode,
  kFollowPlan,
  kDescribeMachine,
  kMeasureLatency,
  kLookForCounters,
  kProveBinding,
  kWatchActivity,
  kWatchTraffic,
  kExpandExpression,
  kListCatalogue,
  kListDevices,
  kMeasureAsRank,
  kJudgeLines,
};

struct Options {
  Command command = Command::kMeasureNode;
  NodeRequest node;
  std::string plan_file;          // "-": standard input; empty: none
  bool wait = true;               // while another process measures
  double activity_seconds = 0.0;  // with kWatchActivity
  double interval = 1.0;          // seconds; with kWatchTraffic
  // With kLookForCounters and kWatchTraffic, and with a plan that asks for counters.
  std::string root;            // DIR/proc and DIR/sys are this system's
  std::string recording;       // counters are played back from it
  std::string expression;      // with kExpandExpression: of CPUs
  std::string devices;         // with kListDevices: the name of one or several
  bool oversubscribe = false;  // a CPU may be named twice, or be shared by ranks' threads
  // With kMeasureAsRank.
  std::optional<int> ranks;  // that were started; none: as many as the launcher says
  double timeout_seconds = 60.0;
};

// Returns the options, or the exit status of a finished call: --help, --version, --licenses, or
// a mistake, which was printed on stderr.
tl::expected<Options, int> parse_options(int argc, char** argv);

}  // namespace streamgage::engine
